// SPDX-License-Identifier: Apache-2.0
#include "sizing/request/objective_reader.h"

#include "catalog/catalog.h"
#include "catalog/facts/engine_constants.h"
#include "catalog/facts/method.h"
#include "catalog/files/entry.h"
#include "catalog/models/architecture.h"
#include "catalog/models/model.h"
#include "catalog/prices/purchase.h"
#include "sizing/job/job.h"
#include "sizing/model/parameters.h"
#include "sizing/request/question.h"
#include "support/error.h"
#include "support/json.h"
#include "support/named.h"
#include "support/text.h"

namespace sizesheet {
namespace {

constexpr Bounds<double> kShare{0, 1};

void read_teacher(ObjectReader& reader, const Catalog& catalog, TrainingObjective& training) {
  const bool distils = training.kind == TrainingKind::kDistillation;
  for (const char* key : {"teacher", "beta"}) {
    refuse_unless(reader, distils || !reader.has(key), key, [&] {
      return "needs kind \"distillation\", got " + in_quotes(training.facts().id);
    });
  }
  training.beta = reader.number_or("beta", training.beta, kShare);
  if (!distils) return void(reader.raw("teacher"));
  const Model* teacher = find_named(reader, "teacher", catalog.models, "model");
  if (teacher != nullptr) training.teacher = {std::shared_ptr<void>(), &teacher->architecture};
}

/// What trainers offer and no formula here counts.
void refuse_open_keys(ObjectReader& reader) {
  for (const auto& [key, words] :
       {std::pair{"on_policy",
                  "the student's own generation is not modelled; leave it out for the answers of a "
                  "data set"},
        {"teacher_top_k",
         "a teacher cut to its largest logits is not modelled; leave it out for all of them"}}) {
    refuse_unless(reader, reader.raw(key).is_null(), key, words);
  }
}

void check_reference(ObjectReader& reader, const TrainingObjective& training,
                     const MethodKeys& method) {
  const bool compares = training.facts().has_reference;
  const Reference reference = training.reference;
  refuse_unless(reader, compares || reference == Reference::kNone, "reference", [&] {
    return "kind " + in_quotes(training.facts().id) + " compares with no reference, got " +
           in_quotes(id_of(kReferences, reference));
  });
  refuse_unless(reader, !compares || reference != Reference::kNone, "reference", [&] {
    return "kind " + in_quotes(training.facts().id) + " compares with a reference, got \"none\"";
  });
  check_adapter_off(reader, reference, method);
  refuse_unless(reader,
                reference != Reference::kPrecomputed || training.loss != TrainingLoss::kLiger,
                "reference",
                "\"precomputed\" needs log-probabilities of whole logits; loss \"liger\" has none");
}

void check_loss(ObjectReader& reader, const TrainingObjective& training, const MethodKeys& method) {
  const auto refuse_if = [&](bool there, const std::string& words) {
    refuse_unless(reader, !there, "loss", words);
  };
  const bool liger = training.loss == TrainingLoss::kLiger;
  refuse_if(liger && training.kind == TrainingKind::kReward,
            "\"liger\" fuses a loss with the head, and a reward model's head makes one score");
  refuse_if(liger && method.adapters.targets.contains(Projection::kHead),
            "\"liger\" multiplies with the head itself and passes its adapter by");
  refuse_if(training.loss == TrainingLoss::kTrlBf16 &&
                (training.facts().likelihood || training.kind == TrainingKind::kDistillation),
            "\"trl-bf16\" is counted for log-probabilities alone, not for kind " +
                in_quotes(training.facts().id));
}

/// What other objects say and the objective cannot have.
void check_others(ObjectReader& reader, ObjectReader& request, const RunKeys& run) {
  const TrainingFacts& facts = run.training->facts();
  const std::string kind = "objective.kind " + in_quotes(facts.id);
  refuse_unless(reader, !run.grpo, "kind", "beside a grpo object, which is an objective itself");
  refuse_unless(reader, facts.mismatched == 0 || run.micro_batch > 1, "kind", [&] {
    return in_quotes(facts.id) +
           " takes its KL term from other samples of a micro-batch, so workload.micro_batch must "
           "be at least 2, got 1";
  });
  if (!at_dotted(request.whole(), "kernels.loss").is_null()) {
    request.object("kernels").fault(
        "loss", "is that of supervised fine-tuning; objective.loss says that of " + kind);
  }
}

void check_teacher(ObjectReader& reader, const Architecture* teacher, const Architecture& model) {
  if (!teacher) return;
  refuse_unless(reader, teacher->vocab == model.vocab, "teacher", [&] {
    return "its vocabulary of " + format_integer(teacher->vocab) + " is not the student's of " +
           format_integer(model.vocab) + ", and the loss compares logit by logit";
  });
}

void put_method(const Method& method, Json& request) {
  request["method"] = method.request;
  if (!method.grpo.is_null()) {
    Json grpo = method.grpo;
    if (request.contains("grpo")) grpo.merge_patch(request["grpo"]);
    request["grpo"] = std::move(grpo);
  }
  if (method.objective.is_null()) return;
  Json objective = method.objective;
  const auto own = request.find("objective");
  if (own != request.end() && own->is_object()) objective.merge_patch(*own);
  if (own != request.end() && own->is_string()) objective["search"] = *own;
  request["objective"] = std::move(objective);
}

}  // namespace

void read_objective(ObjectReader& request, const Catalog& catalog, Question& question) {
  if (!request.raw("objective").is_object()) {
    question.objective = read_named_or(request, "objective", kObjectives, Objective::kMemory);
    return;
  }
  ObjectReader reader = request.object("objective");
  question.objective = read_named_or(reader, "search", kObjectives, Objective::kMemory);
  TrainingObjective training;
  training.kind = read_named_or(reader, "kind", kTrainings, TrainingKind::kSft);
  training.loss = read_named_or(reader, "loss", kTrainingLosses, TrainingLoss::kTrl);
  read_teacher(reader, catalog, training);
  refuse_open_keys(reader);
  training.reference = read_named_or(reader, "reference", kReferences,
                                     !training.facts().has_reference ? Reference::kNone
                                     : question.kind == "full"       ? Reference::kCopy
                                                                     : Reference::kAdapterOff);
  reader.done();
  if (training.kind != TrainingKind::kSft) {
    if (training.kind == TrainingKind::kReward && question.model) {
      question.model = std::make_shared<const Architecture>(with_score_head(*question.model));
    }
    question.training = std::move(training);
    return;
  }
  refuse_unless(reader, training.reference == Reference::kNone, "reference",
                "kind \"sft\" is plain fine-tuning, which has none");
  refuse_unless(reader, !reader.has("loss"), "loss",
                "kind \"sft\" is plain fine-tuning; kernels.loss says its loss");
}

std::string loss_of(const TrainingObjective& training) {
  if (training.kind == TrainingKind::kReward) return std::string(kScores);
  if (training.loss == TrainingLoss::kLiger) return std::string(kFusedObjective);
  if (training.kind == TrainingKind::kDistillation) {
    return training.beta == 0 || training.beta == 1 ? "trl-kl" : "trl-jsd";
  }
  if (training.facts().likelihood) return "trl-likelihood";
  return id_of(kTrainingLosses, training.loss) + (training.runs_reference() ? "-reference" : "");
}

void check_adapter_off(ObjectReader& reader, Reference reference, const MethodKeys& method) {
  refuse_unless(reader, reference != Reference::kAdapterOff || !method.full(), "reference",
                "\"adapter-off\" needs adapters to switch off, and method.kind is \"full\"; ask "
                "for \"copy\"");
}

Json with_method(const Json& request, const Catalog& catalog, Faults& faults) {
  Json whole = request;
  if (!at_dotted(request, "method").is_string()) return whole;
  ObjectReader reader(request, "", "", faults);
  const Method* method = find_named(reader, "method", catalog.methods, "method");
  whole["method"] = Json::object();
  if (method != nullptr) put_method(*method, whole);
  return whole;
}

void check_objective(ObjectReader& request, const Architecture& model, const MethodKeys& method,
                     const RunKeys& run) {
  if (!run.training) return;
  ObjectReader reader = request.object("objective");
  check_reference(reader, *run.training, method);
  check_loss(reader, *run.training, method);
  check_teacher(reader, run.training->teacher.get(), model);
  check_others(reader, request, run);
}

}  // namespace sizesheet
