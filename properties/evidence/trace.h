// What happened in a trial, as invariants and reports see it.
#pragma once

#include <span>
#include <variant>

#include "core/cluster/cluster.h"
#include "core/controller/door.h"
#include "properties/scenario/scenario.h"

namespace ordeal::properties {

/// One request of a sync, with its reply and what befell it.
struct Call {
  Request request;
  Reply reply;
  Fault fault = Fault::none;
  bool committed = false;  // the request took effect, whatever the reply says
  bool fresh = false;      // when it was made, the view still equalled the truth but for this sync's own writes
  /// It takes finalizers of its controller's own off a pod, and says nothing else that its view did not show. Who
  /// guards pods by them must be able to let go of each, whatever has become of its set.
  bool lets_go = false;
  /// The object as it was in the truth just before this call; null when it did not exist.
  const Pod* pod_before = nullptr;
  const Claim* claim_before = nullptr;
  const Revision* revision_before = nullptr;
  const StatefulSet* set_before = nullptr;

  bool is(Verb verb, Kind kind) const { return request.verb == verb && request.kind == kind; }
  bool writes() const { return request.verb != Verb::get; }
  /// A patch of the status that comes to nothing is an attempt, too.
  bool writes_status() const { return request.verb == Verb::update_status || is(Verb::patch, Kind::set); }
  bool failed() const { return !reply.ok(); }
};

/// How an object is stored, as somebody was told; null: it is gone.
struct News {
  Text name;
  std::variant<const StatefulSet*, const Pod*, const Claim*, const Revision*> now;
};
/// What a cache took in the midst of a turn whose controller looks into it anew.
struct Taken {
  std::size_t calls = 0;  // of the turn, made before it; the one after these did not know of it yet
  News news;
};

/// One run of the controller for one key.
struct Sync {
  Key key;
  View seen;      // when it began; once the turn was judged only how far its caches had come
  Time now{};     // by the controller's clock
  Gates gates{};  // it was started with
  std::span<const Call> calls{};
  std::span<const Taken> taken{};
  SyncResult result{};
  std::size_t process = 0;
  bool by_other = false;          // another release acted: it is not on trial
  bool for_neighbour = false;     // it served a neighbour of the set on trial: judged only by what it does to this one
  bool skewed = false;            // that clock differed from the API server's
  bool died = false;              // the controller crashed at the last call
  bool endless = false;           // it was ended, as by a crash, after more calls than there can be reason for
  bool fresh = false;             // the view equalled the truth when it started
  bool null_times = false;        // Traits::null_times of the controller
  bool waits_for_writes = false;  // and Traits::waits_for_writes
  bool rest_by_events = false;    // and Traits::rest_by_events
  /// It waits: but for its status it wrote nothing, and it failed, or has read what its caches do not show yet, or they
  /// are behind, or never showed a pod that it made, and it comes again, or they are behind its own writes, and news of
  /// these makes it come again.
  bool waits = false;
  bool read_news = false, clean = false;  // has_read_news() and ran_cleanly(), of which the next turn is asked
  std::size_t started = 0;  // how often a process had been started: what this one remembers, and its queue, began then
  bool says_what_it_waits_for = false;  // Traits::starts_without of the controller is known
  std::optional<Kind> unlisted{};       // a cache that awaited its first list when it began
  bool after_restart = false;           // the first one of its process since that was started anew
  bool queued = true;                   // an event, a retry or a timer asked for it; else nobody did (a resync)
  std::optional<Time> put_off{};        // when it began, its own event handlers had asked for a turn after so long
  /// When the queue makes the next turn of its own accord, from its end on; nothing: only an event will. `timer`: when
  /// it would have for a reason that was there before this turn, or may have been.
  std::optional<Time> next{}, timer{};
  Time ended{};  // by the API server's clock: the world may go on between its calls

  /// It has read something that its view does not show, and that it did not write itself (informed.cpp).
  bool has_read_news() const;
  bool has_read_news(std::span<const Call> until) const;  // by these of its calls
  bool wrote() const {
    for (const Call& c : calls)
      if (c.writes()) return true;
    return false;
  }
  bool met_a_failure() const {  // of a call
    for (const Call& c : calls)
      if (c.failed()) return true;
    return false;
  }
};

}  // namespace ordeal::properties
