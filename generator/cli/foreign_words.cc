// SPDX-License-Identifier: Apache-2.0
#include "cli/foreign_words.h"

#include <algorithm>
#include <iterator>

#include "cli/question_words.h"
#include "cli/word_table.h"

namespace sizesheet {
namespace {

// clang-format off
constexpr WordPair kVerbs[] = {
    {"recommend", "ask"}, {"suggest", "ask"}, {"size", "ask"}, {"rent", "ask"},
    {"explain", "explain"}, {"memory", "explain"}, {"breakdown", "explain"}, {"vram", "explain"},
    {"oom", "explain"}, {"why", "explain"}, {"estimate-memory", "explain"},
    {"fits", "fits"}, {"fit", "fits"}, {"what-fits", "fits"}, {"max-seq-len", "fits"},
    {"maxlen", "fits"}, {"max-len", "fits"}, {"max-seq", "fits"}, {"max-batch", "fits"},
    {"max-context", "fits"}, {"max-length", "fits"}, {"longest", "fits"},
    {"compare", "compare"}, {"comparison", "compare"}, {"comparing", "compare"},
    {"diff", "compare"}, {"vs", "compare"}, {"versus", "compare"}, {"difference", "compare"},
    {"sweep", "sweep"}, {"table", "sweep"},
    {"cost", "cost"}, {"costs", "cost"}, {"tco", "cost"}, {"own", "cost"}, {"buy", "cost"},
    {"owning", "cost"}, {"buying", "cost"}, {"purchase", "cost"}, {"purchasing", "cost"},
    {"ownership", "cost"}, {"amortize", "cost"}, {"payback", "cost"}, {"roi", "cost"},
    {"capex", "cost"}, {"rent-or-buy", "cost"}, {"buy-or-rent", "cost"}, {"rent-vs-buy", "cost"},
    {"buy-vs-rent", "cost"}, {"breakeven", "cost"}, {"break-even", "cost"},
    {"prices", "prices"}, {"pricing", "prices"}, {"instances", "prices"}, {"machines", "prices"},
    {"vms", "prices"}, {"offers", "prices"}, {"rates", "prices"},
    {"regions", "prices"}, {"locations", "prices"}, {"countries", "prices"},
    {"sellers", "providers"}, {"providers", "providers"}, {"clouds", "providers"},
    {"vendors", "providers"}, {"rents", "providers"}, {"sells", "providers"},
    {"gpus", "gpus"}, {"cards", "gpus"}, {"accelerators", "gpus"},
    {"models", "models"},
    {"methods", "methods"},
    {"stacks", "stacks"}, {"frameworks", "stacks"},
    {"show", "list"}, {"get", "list"}, {"list", "list"}, {"ls", "list"}, {"describe", "list"},
    {"search", "list"}, {"find", "list"}, {"info", "list"}, {"lookup", "list"},
    {"log", "record"}, {"track", "record"}, {"export", "sweep"}, {"generate", "build"},
    {"render", "build"}, {"publish", "build"},
    {"changed", "changes"}, {"changes", "changes"}, {"changelog", "changes"},
    {"history", "changes"}, {"release-notes", "changes"},
    {"help", "help"},
};
// clang-format on

constexpr WordPair kNouns[] = {
    {"gpu", "gpus"},         {"card", "gpus"},          {"accelerator", "gpus"},
    {"model", "models"},     {"price", "prices"},       {"instance", "prices"},
    {"machine", "prices"},   {"method", "methods"},     {"stack", "stacks"},
    {"framework", "stacks"}, {"provider", "providers"}, {"seller", "providers"},
    {"cloud", "providers"},  {"vendor", "providers"},   {"regions", "prices"},
    {"countries", "prices"}, {"locations", "prices"}};

constexpr std::string_view kServing =
    "serving is not modelled: sizesheet sizes fine-tuning on GPUs";
constexpr std::string_view kInference =
    "inference is not modelled: sizesheet sizes fine-tuning on GPUs";
constexpr std::string_view kPretraining =
    "pretraining is not modelled: sizesheet sizes fine-tuning on GPUs";
constexpr std::string_view kPricesAreBuiltIn =
    "no command \"update\": the prices are part of the program; import-prices --merge adds newer "
    "ones to a catalog of yours";

constexpr std::string_view kRunsAreListed =
    "no command \"runs\"; validate --catalog ours begins with the runs that record kept there";

constexpr std::string_view kApple =
    "no Apple GPU is in the catalog: sizesheet sizes NVIDIA and AMD GPUs";
constexpr std::string_view kTpus =
    "TPUs and other accelerators are not modelled: sizesheet sizes NVIDIA and AMD GPUs";
constexpr std::string_view kClosed =
    "its weights are not public: only its maker's service can train it";
constexpr std::string_view kLanguage =
    "models of speech and pictures are not modelled: sizesheet sizes language models";
constexpr std::string_view kNoSettings =
    "sizesheet keeps no settings: say --provider, --gpu and the like in each line; "
    "SIZESHEET_CATALOG names a catalog of yours";
constexpr std::string_view kOwnGpus =
    "sizesheet does not look at the GPUs of this machine: name them, such as fits 2x4090";

constexpr NotDone kNotDone[] = {{"mac", kApple, ""},
                                {"macbook", kApple, ""},
                                {"mlx", kApple, ""},
                                {"tpu", kTpus, ""},
                                {"tpus", kTpus, ""},
                                {"trainium", kTpus, ""},
                                {"gaudi", kTpus, ""},
                                {"gaudi2", kTpus, ""},
                                {"gaudi3", kTpus, ""},
                                {"nvidia-smi", kOwnGpus, "fits"},
                                {"config", kNoSettings, "ask"},
                                {"configure", kNoSettings, "ask"},
                                {"settings", kNoSettings, "ask"},
                                {"set", kNoSettings, "ask"},
                                {"claude", kClosed, ""},
                                {"gemini", kClosed, ""},
                                {"chatgpt", kClosed, ""},
                                {"gpt-4", kClosed, ""},
                                {"gpt-4o", kClosed, ""},
                                {"gpt-4.1", kClosed, ""},
                                {"gpt-5", kClosed, ""},
                                {"grok", kClosed, ""},
                                {"whisper", kLanguage, ""},
                                {"sdxl", kLanguage, ""},
                                {"stable-diffusion", kLanguage, ""},
                                {"flux", kLanguage, ""},
                                {"serve", kServing, ""},
                                {"serving", kServing, ""},
                                {"deploy", kServing, ""},
                                {"infer", kInference, ""},
                                {"inference", kInference, ""},
                                {"pretrain", kPretraining, ""},
                                {"pre-train", kPretraining, ""},
                                {"pretraining", kPretraining, ""},
                                {"runs", kRunsAreListed, "validate"},
                                {"update", kPricesAreBuiltIn, "import-prices"}};

constexpr std::string_view kStackDecides = "the stack decides it";
constexpr std::string_view kMethodDecides = "the method decides it";
constexpr std::string_view kSteps =
    "a step is --global-batch sequences of --seq tokens: say both, or --tokens";
constexpr std::string_view kWrites =
    "--write cfg writes a training config, and --stack names its framework";
constexpr std::string_view kSorted = "prices are listed from the lowest up";
constexpr std::string_view kCut = "every line is printed; a pipe into head cuts them";
constexpr std::string_view kDollars = "all money is in dollars";
constexpr std::string_view kEdition =
    "it is part of an edition: sizesheet build makes one with pages, a PDF and a workbook";
constexpr std::string_view kOwnPrice =
    "prices are those of the catalog; import-prices --merge adds yours, and cost takes --rent 1.99";
constexpr std::string_view kPerGpu =
    "a micro-batch is of one GPU; --global-batch is of a whole step";
constexpr std::string_view kNoFile = "no data set is read; --examples says how many there are";

// An entry an option.
// clang-format off
constexpr ForeignOption kForeignOptions[] = {
    {"-t", OptionForm::kSame, "--method"},
    {"-M", OptionForm::kSame, "--method"},
    {"-s", OptionForm::kSame, "--seq"},
    {"-b", OptionForm::kSame, "--micro-batch"},
    {"-e", OptionForm::kSame, "--epochs"},
    {"-d", OptionForm::kSame, "--examples", kNoFile},
    {"--technique", OptionForm::kSame, "--method"},
    {"--peft", OptionForm::kSame, "--method"},
    {"--finetuning-type", OptionForm::kSame, "--method"},
    {"--algorithm", OptionForm::kSame, "--method"},
    {"--hf-model", OptionForm::kSame, "--model"},
    {"--hf-id", OptionForm::kSame, "--model"},
    {"--repo", OptionForm::kSame, "--model"},
    {"--repo-id", OptionForm::kSame, "--model"},
    {"--base", OptionForm::kSame, "--model"},
    {"--checkpoint", OptionForm::kSame, "--model"},
    {"--model-name-or-path", OptionForm::kSame, "--model"},
    {"--model_name_or_path", OptionForm::kSame, "--model"},
    {"--pretrained-model-name-or-path", OptionForm::kSame, "--model"},
    {"--model-path", OptionForm::kSame, "--model"},
    {"--adapter", OptionForm::kSame, "--method"},
    {"--sequence-len", OptionForm::kSame, "--seq"},
    {"--micro-batch-size", OptionForm::kSame, "--micro-batch"},
    {"--vm", OptionForm::kSame, "--gpu"},
    {"--vm-type", OptionForm::kSame, "--gpu"},
    {"--finish-in", OptionForm::kSame, "--deadline"},
    {"--done-in", OptionForm::kSame, "--deadline"},
    {"--params", OptionForm::kParameters, "--model"},
    {"--parameters", OptionForm::kParameters, "--model"},
    {"--size", OptionForm::kParameters, "--model"},
    {"--model-size", OptionForm::kParameters, "--model"},
    {"--on", OptionForm::kSame, "--gpu"},
    {"--cards", OptionForm::kSame, "--gpu"},
    {"--device", OptionForm::kSame, "--gpu"},
    {"--accelerator", OptionForm::kSame, "--gpu"},
    {"--accelerators", OptionForm::kSame, "--gpu"},
    {"--hardware", OptionForm::kSame, "--gpu"},
    {"--flavor", OptionForm::kSame, "--gpu"},
    {"--sku", OptionForm::kSame, "--gpu"},
    {"--gres", OptionForm::kResources, "--gpu"},
    {"--gpus-per-node", OptionForm::kSame, "--gpus"},
    {"--nproc-per-node", OptionForm::kSame, "--gpus"},
    {"--nproc_per_node", OptionForm::kSame, "--gpus"},
    {"--num-processes", OptionForm::kSame, "--gpus"},
    {"--num_processes", OptionForm::kSame, "--gpus"},
    {"--accelerator-count", OptionForm::kSame, "--gpus"},
    {"--max-gpus", OptionForm::kSame, "--gpus"},
    {"--world-size", OptionForm::kSame, "--gpus"},
    {"--nodes", OptionForm::kNodes, "--gpus"},
    {"--nnodes", OptionForm::kNodes, "--gpus"},
    {"--num-nodes", OptionForm::kNodes, "--gpus"},
    {"-N", OptionForm::kNodes, "--gpus"},
    {"--gpu-memory", OptionForm::kSame, "--vram"},
    {"--batch-size", OptionForm::kSame, "--micro-batch", kPerGpu},
    {"--batch", OptionForm::kSame, "--micro-batch", kPerGpu},
    {"--bs", OptionForm::kSame, "--micro-batch", kPerGpu},
    {"--per_device_train_batch_size", OptionForm::kSame, "--micro-batch"},
    {"--length", OptionForm::kSame, "--seq"},
    {"--max-len", OptionForm::kSame, "--seq"},
    {"--max-length", OptionForm::kSame, "--seq"},
    {"--max_length", OptionForm::kSame, "--seq"},
    {"--max_seq_length", OptionForm::kSame, "--seq"},
    {"--cutoff-len", OptionForm::kSame, "--seq"},
    {"--cutoff_len", OptionForm::kSame, "--seq"},
    {"--ctx", OptionForm::kSame, "--seq"},
    {"--context-length", OptionForm::kSame, "--seq"},
    {"--context-window", OptionForm::kSame, "--seq"},
    {"--data-size", OptionForm::kSame, "--examples"},
    {"--prompts", OptionForm::kSame, "--examples"},
    {"--rows", OptionForm::kSame, "--examples"},
    {"--lora_r", OptionForm::kSame, "--rank"},
    {"--lora_rank", OptionForm::kSame, "--rank"},
    {"-r", OptionForm::kSame, "--rank"},
    {"--num_train_epochs", OptionForm::kSame, "--epochs"},
    {"--time", OptionForm::kClock, "--deadline"},
    {"--days", OptionForm::kDays, "--deadline"},
    {"--max-days", OptionForm::kDays, "--deadline"},
    {"--time-limit", OptionForm::kClock, "--deadline"},
    {"--timelimit", OptionForm::kClock, "--deadline"},
    {"--max-time", OptionForm::kClock, "--deadline"},
    {"--max-runtime", OptionForm::kClock, "--deadline"},
    {"--walltime", OptionForm::kClock, "--deadline"},
    {"--cost", OptionForm::kSame, "--budget"},
    {"--dollars", OptionForm::kSame, "--budget"},
    {"--usd", OptionForm::kSame, "--budget"},
    {"--spend", OptionForm::kSame, "--budget"},
    {"--price", OptionForm::kSame, "--rent", kOwnPrice},
    {"--gpu-price", OptionForm::kSame, "--rent", kOwnPrice},
    {"--hourly-rate", OptionForm::kSame, "--rent", kOwnPrice},
    {"--price-per-hour", OptionForm::kSame, "--rent", kOwnPrice},
    {"--prices", OptionForm::kNone, "", kOwnPrice},
    {"--price-file", OptionForm::kNone, "", kOwnPrice},
    {"--family", OptionForm::kSearch, ""},
    {"--search", OptionForm::kSearch, ""},
    {"--filter", OptionForm::kSearch, ""},
    {"--vendor", OptionForm::kSame, "--provider"},
    {"--providers", OptionForm::kSame, "--provider"},
    {"-f", OptionForm::kSame, "--config"},
    {"-c", OptionForm::kSame, "--config"},
    {"--config-file", OptionForm::kSame, "--config"},
    {"--deepspeed", OptionForm::kSame, "--config"},
    {"--deepspeed-config", OptionForm::kSame, "--config"},
    {"--ds-config", OptionForm::kSame, "--config"},
    {"--accelerate-config", OptionForm::kSame, "--config"},
    {"--emit", OptionForm::kWritten, "", kWrites},
    {"--emit-config", OptionForm::kWritten, "", kWrites},
    {"--config-out", OptionForm::kWritten, "", kWrites},
    {"--output-config", OptionForm::kWritten, "", kWrites},
    {"--save-config", OptionForm::kWritten, "", kWrites},
    {"--export-config", OptionForm::kWritten, "", kWrites},
    {"--generate-config", OptionForm::kWritten, "", kWrites},
    {"--location", OptionForm::kSame, "--region"},
    {"--zone", OptionForm::kSame, "--region"},
    {"--jobs-per-month", OptionForm::kSame, "--runs"},
    {"--runs-per-day", OptionForm::kRhythm, "daily"},
    {"--runs-per-week", OptionForm::kRhythm, "weekly"},
    {"--runs-per-quarter", OptionForm::kRhythm, "quarterly"},
    {"--runs-per-year", OptionForm::kRhythm, "yearly"},
    {"--spot", OptionForm::kTier, "--tier"},
    {"--use-spot", OptionForm::kTier, "--tier"},
    {"--ondemand", OptionForm::kTier, "--tier"},
    {"--preemptible", OptionForm::kTier, "--tier"},
    {"--interruptible", OptionForm::kTier, "--tier"},
    {"--on-demand", OptionForm::kTier, "--tier"},
    {"--reserved", OptionForm::kTier, "--tier"},
    {"--reservation", OptionForm::kTier, "--tier"},
    {"--commitment", OptionForm::kTier, "--tier"},
    {"--committed", OptionForm::kTier, "--tier"},
    {"--term", OptionForm::kTier, "--tier"},
    {"--pricing", OptionForm::kTier, "--tier"},
    {"--provisioning-model", OptionForm::kTier, "--tier"},
    {"--capacity-type", OptionForm::kTier, "--tier"},
    {"--utilization", OptionForm::kUse, "--hours"},
    {"--utilisation", OptionForm::kUse, "--hours"},
    {"--usage", OptionForm::kUse, "--hours"},
    {"--months", OptionForm::kMonths, "--life"},
    {"--years", OptionForm::kSame, "--life"},
    {"--horizon", OptionForm::kSame, "--life"},
    {"--optimizer", OptionForm::kRequest, "optimizer", kStackDecides},
    {"--optim", OptionForm::kRequest, "optimizer", kStackDecides},
    {"--precision", OptionForm::kRequest, "kernels.precision", kStackDecides},
    {"--dtype", OptionForm::kRequest, "kernels.precision", kStackDecides},
    {"--attention", OptionForm::kRequest, "kernels.attention", kStackDecides},
    {"--attn-implementation", OptionForm::kRequest, "kernels.attention", kStackDecides},
    {"--recompute", OptionForm::kRequest, "kernels.recompute", kStackDecides},
    {"--offload", OptionForm::kRequest, "layout.offload", kStackDecides},
    {"--shard", OptionForm::kRequest, "layout.shard", kStackDecides},
    {"--zero", OptionForm::kRequest, "layout.shard", kStackDecides},
    {"--zero-stage", OptionForm::kRequest, "layout.shard", kStackDecides},
    {"--tensor-parallel", OptionForm::kRequest, "layout.tp", kStackDecides},
    {"--tp", OptionForm::kRequest, "layout.tp", kStackDecides},
    {"--pp", OptionForm::kRequest, "layout.pp", kStackDecides},
    {"--vllm-gpu-memory-utilization", OptionForm::kRequest, "grpo.memory_fraction", kMethodDecides},
    {"--gpu-memory-utilization", OptionForm::kRequest, "grpo.memory_fraction", kMethodDecides},
    {"--pue", OptionForm::kCostKey, "pue"},
    {"--capex", OptionForm::kCostKey, "capex_usd_per_node"},
    {"--purchase-price", OptionForm::kCostKey, "capex_usd_per_node"},
    {"--interest", OptionForm::kCostKey, "cost_of_capital"},
    {"--fastest", OptionForm::kNone, "", "explain --objective time picks the fewest hours"},
    {"--cheapest", OptionForm::kNone, "", "compare --gpu all lists every GPU type, the lowest cost first"},
    {"--cpu-offload", OptionForm::kRequest, "layout.offload", kStackDecides},
    {"--sort", OptionForm::kNone, "", kSorted},
    {"--sort-by", OptionForm::kNone, "", kSorted},
    {"--limit", OptionForm::kNone, "", kCut},
    {"--top", OptionForm::kNone, "", kCut},
    {"--currency", OptionForm::kNone, "", kDollars},
    {"--pdf", OptionForm::kNone, "", kEdition},
    {"--html", OptionForm::kNone, "", kEdition},
    {"--xlsx", OptionForm::kNone, "", kEdition},
    {"--excel", OptionForm::kNone, "", kEdition},
    {"--dataset", OptionForm::kSame, "--examples", kNoFile},
    {"--data", OptionForm::kSame, "--examples", kNoFile},
    {"--train-file", OptionForm::kSame, "--examples", kNoFile},
    {"--output", OptionForm::kForm, "--out"},
    {"-o", OptionForm::kForm, "--out"},
    {"--out", OptionForm::kForm, "--out"},
    {"--lora-alpha", OptionForm::kNone, "", "it moves neither memory nor time"},
    {"--lora-dropout", OptionForm::kNone, "", "it moves neither memory nor time"},
    {"--learning-rate", OptionForm::kNone, "", "it moves neither memory nor time"},
    {"--lr", OptionForm::kNone, "", "it moves neither memory nor time"},
    {"--seed", OptionForm::kNone, "", "it moves neither memory nor time"},
    {"--steps", OptionForm::kSteps, "--tokens", kSteps},
    {"--max-steps", OptionForm::kSteps, "--tokens", kSteps},
    {"--num-steps", OptionForm::kSteps, "--tokens", kSteps},
    {"--train-steps", OptionForm::kSteps, "--tokens", kSteps},
};
// clang-format on

}  // namespace

std::string_view command_meant(std::string_view word) { return meant_in(kVerbs, word); }

std::string_view list_of_noun(std::string_view word) { return meant_in(kNouns, word); }

bool is_list(std::string_view command) {
  constexpr std::string_view kLists[] = {"gpus",      "models",  "prices",
                                         "providers", "methods", "stacks"};
  return std::ranges::find(kLists, command) != std::end(kLists);
}

const NotDone* not_done(std::string_view word) {
  const auto* found = std::ranges::find(kNotDone, word, &NotDone::word);
  if (found != std::end(kNotDone)) return found;
  // "whisper" of "openai/whisper-large-v3".
  const std::size_t slash = word.find('/');
  const std::string_view name = slash == word.npos ? word : word.substr(slash + 1);
  const auto is_of = [&](const NotDone& one) {
    const bool model = one.why == kClosed || one.why == kLanguage;
    return model && (name == one.word || name.starts_with(std::string(one.word) + "-"));
  };
  found = std::ranges::find_if(kNotDone, is_of);
  return found != std::end(kNotDone) ? found : nullptr;
}

const NotDone* not_done_first(const std::vector<std::string>& words) {
  const NotDone* none = words.empty() ? nullptr : not_done(words.front());
  const bool setting = none != nullptr && none->why == kNoSettings;
  const bool run = std::any_of(words.begin() + (setting ? 1 : 0), words.end(), begins_question);
  return setting && run ? nullptr : none;
}

const ForeignOption* foreign_option(std::string_view name) {
  const auto* found = std::ranges::find(kForeignOptions, name, &ForeignOption::name);
  return found != std::end(kForeignOptions) ? found : nullptr;
}

}  // namespace sizesheet
