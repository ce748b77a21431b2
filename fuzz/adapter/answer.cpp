#include "fuzz/adapter/answer.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "core/api/codec.h"
#include "core/cluster/admitted.h"
#include "fuzz/adapter/target.h"

namespace ordeal::fuzz {

namespace {

using nlohmann::json;

struct Answer {
  Code code;
  int status;
  std::string_view reason;
};
constexpr std::array<Answer, 11> answers{{{Code::ok, 200, ""},
                                          {Code::conflict, 409, "Conflict"},
                                          {Code::already_exists, 409, "AlreadyExists"},
                                          {Code::not_found, 404, "NotFound"},
                                          {Code::forbidden, 403, "Forbidden"},
                                          {Code::invalid, 422, "Invalid"},
                                          {Code::timeout, 504, "Timeout"},
                                          {Code::internal, 500, "InternalError"},
                                          {Code::unavailable, 503, "ServiceUnavailable"},
                                          {Code::too_many_requests, 429, "TooManyRequests"},
                                          {Code::bad_request, 400, "BadRequest"}}};

/// A conflict comes of what the request asked to hold.
std::string_view conflict_of(const Request& request) {
  if (request.version == Version::none && request.uid != Uid::none) return "is another one than its UID names";
  if (request.uid == Uid::none) return "has changed since the version that the request names";
  return "has changed since the version that the request names, or is another one than its UID names";
}

/// What came of a request, for people.
std::string_view sentence_of(const Request& request, const Reply& reply) {
  if (!reply.why.empty()) return reply.why;
  switch (reply.code) {
    case Code::conflict: return conflict_of(request);
    case Code::already_exists: return "exists already";
    case Code::not_found: return "is not there";
    case Code::forbidden:
      if (request.verb == Verb::create) return "forbidden: exceeded quota: of-the-team";
      break;
    default: break;
  }
  return name_of(reply.code);
}

/// The fields that an apply was refused for.
json causes_json(const std::vector<FieldConflict>& conflicts) {
  json causes = json::array();
  for (const FieldConflict& conflict : conflicts)
    causes.push_back({{"reason", "FieldManagerConflict"},
                      {"message", "conflict with \"" + conflict.manager.str() + "\""},
                      {"field", conflict.field.str()}});
  return causes;
}

json status_json(const Request& request, const Reply& reply) {
  const std::string_view plural = resource_of(request.kind);
  const std::string what = std::string(plural) + " \"" + request.name.str() + "\"";
  json details = {{"name", request.name.str()}, {"kind", plural}};
  if (reply.code == Code::too_many_requests) details["retryAfterSeconds"] = retry_after_seconds;
  if (reply.managed_by) details["causes"] = causes_json(*reply.managed_by);
  return {{"apiVersion", "v1"},
          {"kind", "Status"},
          {"metadata", json::object()},
          {"status", "Failure"},
          {"message", what + ": " + std::string(sentence_of(request, reply))},
          {"reason", reason_of(reply.code)},
          {"details", std::move(details)},
          {"code", status_of(reply.code)}};
}

json object_in(const Reply& reply) {
  if (const auto* set = reply.as<StatefulSet>()) return to_json(*set);
  if (const auto* pod = reply.as<Pod>()) return seen_by_clients(*pod);
  if (const auto* claim = reply.as<Claim>()) return to_json(*claim);
  if (const auto* revision = reply.as<Revision>()) return to_json(*revision);
  return {{"apiVersion", "v1"}, {"kind", "Status"}, {"metadata", json::object()}, {"status", "Success"}};
}

}  // namespace

int status_of_success(const Request& request, const Reply& reply) {
  return request.verb == Verb::create || reply.created ? 201 : 200;
}
int status_of(Code code) { return answers[static_cast<std::size_t>(code)].status; }
std::string_view reason_of(Code code) { return answers[static_cast<std::size_t>(code)].reason; }

Code code_of_answer(int status, std::string_view reason) {
  if (status >= 200 && status < 300) return Code::ok;
  const auto at = std::ranges::find_if(answers, [&](const Answer& answer) {
    return answer.status == status && (reason.empty() || answer.reason == reason);
  });
  return at == answers.end() ? Code::internal : at->code;
}

bool is_lost(const Request& request, const Reply& reply) {
  return reply.code == Code::timeout && !request.name.empty() && request.name.view().back() % 2 == 0;
}

json answer_to(const Request& request, const Reply& reply, const Text& ns) {
  if (!reply.ok()) return {{"status", status_of(reply.code)}, {"body", status_json(request, reply)}};
  json body = object_in(reply);
  if (body["kind"] != "Status") body["metadata"]["namespace"] = sent_namespace(ns).str();
  return {{"status", status_of_success(request, reply)}, {"body", std::move(body)}};
}

}  // namespace ordeal::fuzz
