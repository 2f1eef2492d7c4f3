// SPDX-License-Identifier: Apache-2.0
// Malformed requests through the reader of `estimate` lines: each is answered, under its id where
// one can be read, with the place and the reason in whole words, and the next line is read.
#include <gtest/gtest.h>

#include <sstream>

#include "cli/command_parts.h"
#include "sizing/sized.h"

namespace sizesheet {
namespace {

struct Malformed {
  const char* line;
  const char* id;  ///< nullptr: null
  const char* error;
};

// Whole lines that are no request.
constexpr Malformed kWholeLinesThatAre[] = {
    {R"([{"model":"size-7b"}])", nullptr,
     R"(line 1: expected an object, got [{"model":"size-7b"}])"},
    {R"("full")", nullptr, R"(line 1: expected an object, got "full")"},
    {R"(null)", nullptr, R"(line 1: expected an object, got null)"},
    {R"({"id":"x","model":"size-7b")", nullptr, R"(line 1: column 28: not JSON near '"size-7b"')"},
    {R"({"id":"x",})", nullptr, R"(line 1: column 11: not JSON near '"x",}')"},
    {R"({"id":61,"model":"size-7b","gpu":"h100-sxm","method":"full"})", nullptr,
     R"(id: expected text, got 61)"},
};

// Keys that must be there.
constexpr Malformed kKeysThatMustBe[] = {
    {R"({})", nullptr, R"(model: expected text, got nothing)"},
    {R"({"id":"x","gpu":"h100-sxm","method":"full"})", "x", R"(model: expected text, got nothing)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm"})", "x",
     R"(method: expected an object, got nothing)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":null})", "x",
     R"(method: expected an object, got null)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":{}})", "x",
     R"(method.kind: expected one of full, lora, dora, qlora; got nothing)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":{"rank":8}})", "x",
     R"(method.kind: expected one of full, lora, dora, qlora; got nothing)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":{"kind":"lora"}})", "x",
     R"(method.rank: expected an integer, got nothing)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","state":{}})", "x",
     R"(state.weight: expected a number, got nothing; state.gradient: expected a number, got nothing; state.master: expected a number, got nothing; state.moments: expected a number, got nothing)"},
    {R"({"id":"x","model":"size-7b","method":"full"})", "x",
     R"(layout: without a gpu the layout must be given (gpus and tp, or dp and tp))"},
};

// Wrong types.
constexpr Malformed kWrongTypes[] = {
    {R"({"id":"x","model":["size-7b"],"gpu":"h100-sxm","method":"full"})", "x",
     R"(model: expected text, got ["size-7b"])"},
    {R"({"id":"x","model":{"model_type":"llama"},"gpu":"h100-sxm","method":"full"})", "x",
     R"(model.hidden_size: expected an integer, got nothing; model.vocab_size: expected an integer, got nothing; model.num_hidden_layers: expected an integer, got nothing; model.num_attention_heads: expected an integer, got nothing; model.intermediate_size: expected an integer, got nothing)"},
    {R"({"id":"x","model":"size-7b","gpu":8,"method":"full"})", "x",
     R"(gpu: expected text, got 8)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":["full"]})", "x",
     R"(method: expected an object, got ["full"])"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":{"kind":7}})", "x",
     R"(method.kind: expected one of full, lora, dora, qlora; got 7)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","layout":[]})", "x",
     R"(layout: expected an object, got [])"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","stack":"hf-trl","workload":7,"kernels":"flash"})",
     "x", R"(kernels: expected an object, got "flash"; workload: expected an object, got 7)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","optimizer":7,"optimizer_foreach":"yes"})",
     "x",
     R"(optimizer: expected one of adafactor, adam-mini, adamw, adamw-8bit, lion, lion-8bit, muon, paged-adamw, paged-adamw-8bit, sgd, sgd-momentum; got 7; optimizer_foreach: expected true or false, got "yes")"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","workload":{"seq_len":"4096"}})",
     "x", R"(workload.seq_len: expected an integer, got "4096")"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"sequence_parallel":1}})",
     "x", R"(layout.sequence_parallel: expected true or false, got 1)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":{"kind":"lora","rank":16,"targets":["q_proj",7]}})",
     "x", R"(method.targets[1]: expected text, got 7)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":{"kind":"lora","rank":16,"targets":7}})",
     "x", R"(method.targets: expected a list of texts, got 7)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":{"kind":"lora","rank":16,"targets":[]}})",
     "x", R"(method.targets: expected at least one projection of the model)"},
};

// Names that nothing has.
constexpr Malformed kNamesThatNothingHas[] = {
    {R"({"id":"x","model":"","gpu":"","stack":"","method":""})", "x",
     R"(method: no method "" in the catalog; model: no model "" in the catalog; gpu: no GPU "" in the catalog; stack: no stack "" in the catalog)"},
    {R"({"id":"x","model":"llama-3.1-8bb","gpu":"h100-sxm","method":"full"})", "x",
     R"(model: no model "llama-3.1-8bb" in the catalog (did you mean "llama-3.1-8b"?))"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","stack":"hf-trll","method":"full"})", "x",
     R"(stack: no stack "hf-trll" in the catalog (did you mean "hf-trl"?))"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"fulll"})", "x",
     R"(method: no method "fulll" in the catalog (did you mean "full"?))"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":{"kind":"lora","rank":16,"targets":["q_porj"]}})",
     "x", R"(method.targets: the model has no projection "q_porj" (did you mean "q_proj"?))"},
};

// Unknown keys, at every level.
constexpr Malformed kUnknownKeysAtEvery[] = {
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","optimiser":"adamw"})", "x",
     R"(optimiser: unknown key (did you mean "optimizer"?))"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":{"kind":"lora","rank":8,"target":"qv"}})",
     "x", R"(method.target: unknown key (did you mean "targets"?))"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","kernels":{"recompte":"full"}})",
     "x", R"(kernels.recompte: unknown key (did you mean "recompute"?))"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"gpu":8}})", "x",
     R"(layout.gpu: unknown key (did you mean "gpus"?))"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","workload":{"seqlen":8}})",
     "x", R"(workload.seqlen: unknown key (did you mean "seq_len"?))"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","overheads":{"contxt_gib":1}})",
     "x", R"(overheads.contxt_gib: unknown key (did you mean "context_gib"?))"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","state":{"weight":2,"gradient":2,"master":0,"moment":8}})",
     "x",
     R"(state.moments: expected a number, got nothing; state.moment: unknown key (did you mean "moments"?))"},
};

// Keys given twice, and what is no number.
constexpr Malformed kKeysGivenTwiceAnd[] = {
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","method":"full"})", "x",
     R"(line 1: column 69: duplicate key "method")"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","workload":{"seq_len":1,"seq_len":2}})",
     "x", R"(line 1: column 94: duplicate key "seq_len" (at /workload/seq_len))"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","headroom":NaN})", "x",
     R"(headroom: expected a number, got NaN)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","workload":{"tokens":Infinity}})",
     "x", R"(tokens: expected a number, got Infinity)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","headroom":-Infinity})", "x",
     R"(headroom: expected a number, got -Infinity)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","headroom":1e400})", nullptr,
     R"(line 1: column 77: the number 1e400 is out of range)"},
};

// Fractions, signs and sizes.
constexpr Malformed kFractionsSignsAndSizes[] = {
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"gpus":8.5}})", "x",
     R"(layout.gpus: expected an integer, got 8.5)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"gpus":8.0}})", "x",
     R"(layout.gpus: expected an integer, got 8.0)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":{"kind":"lora","rank":2.5}})", "x",
     R"(method.rank: expected an integer, got 2.5)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","workload":{"micro_batch":0}})",
     "x", R"(workload.micro_batch: expected an integer from 1 to 1000000, got 0)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","workload":{"grad_accum":-1}})",
     "x", R"(workload.grad_accum: expected an integer from 1 to 1000000, got -1)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","headroom":-0.1})", "x",
     R"(headroom: expected a number from 0 to 10, got -0.1)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","workload":{"tokens":9007199254740993}})",
     "x",
     R"(workload.tokens: expected an integer from 1 to 9007199254740992, got 9007199254740993)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","workload":{"tokens":9223372036854775808}})",
     "x",
     R"(workload.tokens: expected an integer from 1 to 9007199254740992, got 9223372036854775808)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","workload":{"seq_len":99999999999999999999999}})",
     "x", R"(workload.seq_len: expected an integer, got 9.999999999999999e+22)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"tp":100000,"pp":-9223372036854775808}})",
     "x",
     R"(layout.tp: expected an integer from 1 to 10000, got 100000; layout.pp: expected an integer from 1 to 10000, got -9223372036854775808)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","workload":{"seq_len":100000000,"micro_batch":1000000}})",
     "x",
     R"(workload.seq_len: 100000000 tokens with workload.micro_batch 1000000 need more than 10^17 bytes on one GPU, which no bill is made for)"},
};

// Pairs that cannot be.
constexpr Malformed kPairsThatCannotBe[] = {
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"gpus":6,"tp":4}})",
     "x", R"(layout.gpus: 6 is not dp * tp * pp * cp = 1 * 4 * 1 * 1)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"gpus":8,"dp":8,"tp":8}})",
     "x", R"(layout.gpus: 8 is not dp * tp * pp * cp = 8 * 8 * 1 * 1)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"gpus":8,"pp":3}})",
     "x",
     R"(layout.pp: 32 layers are not divisible by 3 (nearest: 2, 4); layout.gpus: 8 is not divisible by dp * tp * pp * cp = 3)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","kernels":{"attention":"eager"},"layout":{"cp":2}})",
     "x",
     R"(layout.cp: context parallelism needs a flash kernel, and kernels.attention is "eager")"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"dp":1,"tp":1,"pp":2,"vpp":2},"workload":{"grad_accum":3}})",
     "x",
     R"(layout.pp: interleaved stages (layout.vpp 2) take micro-batches in groups of 2, and workload.grad_accum is 3 (nearest: 4))"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"dp":8,"tp":1,"shard_group":3}})",
     "x", R"(layout.shard_group: 8 data-parallel ranks are not divisible by 3 (nearest: 2, 4))"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":{"kind":"qlora","rank":16,"base":"bf16"}})",
     "x", R"(method.base: method.kind "qlora" has an nf4 base, got "bf16")"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","workload":{"tokens":1000,"examples":10,"mean_length":5}})",
     "x", R"(workload.examples: give either tokens or examples, not both)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","workload":{"epochs":3}})",
     "x", R"(workload.examples: examples, mean_length and epochs go together)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","optimizer":"lion","state":{"weight":2,"gradient":2,"master":0,"moments":8}})",
     "x",
     R"(state: "moments" counts AdamW's two moments; with optimizer "lion" name a recipe instead)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","layout":{"offload":"optimizer"},"optimizer_in_backward":true})",
     "x", R"(optimizer_in_backward: cannot step states that layout.offload keeps on the host)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","method":"full","kernels":{"recompute":["moe"]}})",
     "x", R"(kernels.recompute: "moe" needs routed experts; the model has none)"},
    {R"({"id":"x","model":"size-7b","gpu":"h100-sxm","stack":"unsloth","method":"full","layout":{"shard":"zero3"}})",
     "x",
     R"(stack: unsloth refuses layout.shard "zero3": Unsloth trains on several GPUs as DDP; it has no sharding)"},
};

std::vector<Json> answers_to(const std::string& lines, int expected_code) {
  std::istringstream in(lines);
  std::ostringstream out;
  const int code = for_each_json_line(
      in, out, 1, [](const Json& request, std::int64_t) { return to_json(sized(request)); });
  EXPECT_EQ(code, expected_code) << lines;
  std::vector<Json> answers;
  std::istringstream each(out.str());
  for (std::string line; std::getline(each, line);) answers.push_back(parse_json(line, "answer"));
  return answers;
}

class MalformedRequests : public testing::TestWithParam<Malformed> {};

TEST_P(MalformedRequests, AreAnsweredWithThePlaceAndTheReason) {
  const std::string good =
      R"({"id":"next","model":"size-7b","method":"full","layout":{"dp":1,"tp":1}})";
  const std::vector<Json> answers = answers_to(std::string(GetParam().line) + "\n" + good, 1);
  ASSERT_EQ(answers.size(), 2U);
  const Json id = GetParam().id == nullptr ? Json() : Json(GetParam().id);
  EXPECT_EQ(answers[0], (Json{{"id", id}, {"ok", false}, {"error", GetParam().error}}));
  EXPECT_EQ(answers[1].at("ok"), true);
  EXPECT_EQ(answers[1].at("id"), "next");
}

INSTANTIATE_TEST_SUITE_P(WholeLinesThatAre, MalformedRequests,
                         testing::ValuesIn(kWholeLinesThatAre));
INSTANTIATE_TEST_SUITE_P(KeysThatMustBe, MalformedRequests, testing::ValuesIn(kKeysThatMustBe));
INSTANTIATE_TEST_SUITE_P(WrongTypes, MalformedRequests, testing::ValuesIn(kWrongTypes));
INSTANTIATE_TEST_SUITE_P(NamesThatNothingHas, MalformedRequests,
                         testing::ValuesIn(kNamesThatNothingHas));
INSTANTIATE_TEST_SUITE_P(UnknownKeysAtEvery, MalformedRequests,
                         testing::ValuesIn(kUnknownKeysAtEvery));
INSTANTIATE_TEST_SUITE_P(KeysGivenTwiceAnd, MalformedRequests,
                         testing::ValuesIn(kKeysGivenTwiceAnd));
INSTANTIATE_TEST_SUITE_P(FractionsSignsAndSizes, MalformedRequests,
                         testing::ValuesIn(kFractionsSignsAndSizes));
INSTANTIATE_TEST_SUITE_P(PairsThatCannotBe, MalformedRequests,
                         testing::ValuesIn(kPairsThatCannotBe));

}  // namespace
}  // namespace sizesheet
