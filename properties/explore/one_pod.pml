/* A set of one pod, its kubelet, a user who scales and the controller, in the abstraction of properties/explore: no claims, no
 * troubles, one template, caches that show everything. As many reachable states as `ordeal explore` must find; ci/spin asks.
 * EDITS: how often the user scales. Written from semantics.md and the documents, not from the controller's code. */
#ifndef EDITS
#define EDITS 1
#endif

#define none 0
#define pending 1
#define started 2
#define ready 3
#define ending 4        /* started, told to stop */
#define ending_ready 5  /* ready, told to stop */

#define is_ready (pod == ready || pod == ending_ready)
#define stays (pod == pending || pod == started || pod == ready)

byte edits = EDITS, generation = 1, observed = 0;
bit wanted = 1, recorded = 0, told = 0;  /* replicas; there is a revision; the status names it */
byte pod = none;
bit of_spec = 0;  /* the pod was created for the present spec */
bit calm = 0;     /* since the set was last found whole, nothing but rollouts happened */
bit replicas = 0, readies = 0, updated = 0;  /* of the status; current is as updated and available as ready, with one revision */

byte before;   /* scratch of a turn, always zeroed again */
bit wrote;

active proctype world() {
  do
  :: d_step { edits > 0 -> edits--; wanted = 1 - wanted; generation++; of_spec = 0; calm = 0 }
  :: d_step { pod == pending -> pod = started }
  :: d_step { pod == started -> pod = ready }
  :: d_step { pod == ending || pod == ending_ready -> pod = none; of_spec = 0 }
  :: d_step {  /* a turn: it reads what is there, works, and tells what it has read */
       before = pod;
       wrote = !recorded;
       recorded = 1;
       if
       :: wanted && pod == none -> pod = pending; of_spec = 1; wrote = 1
       :: !wanted && pod == pending -> pod = none; of_spec = 0; wrote = 1
       :: !wanted && pod == started -> pod = ending; wrote = 1
       :: !wanted && pod == ready -> pod = ending_ready; wrote = 1
       :: else
       fi;
       if
       :: !told || observed != generation || replicas != (before != none) ||
          readies != (before == ready || before == ending_ready) ||
          updated != (before == pending || before == started || before == ready) ->
            told = 1; observed = generation; wrote = 1;
            replicas = (before != none);
            readies = (before == ready || before == ending_ready);
            updated = (before == pending || before == started || before == ready)
       :: else
       fi;
       if
       :: !wrote && ((wanted && before == ready) || (!wanted && before == none)) -> calm = 1
       :: else
       fi;
       before = 0; wrote = 0
     }
  od
}
