// SPDX-License-Identifier: Apache-2.0
// Sanitizers end the process at their first finding, unless the environment says otherwise
// (UBSAN_OPTIONS=halt_on_error=0 lists all). Without sanitizers nobody calls this.

extern "C" const char* __ubsan_default_options() { return "halt_on_error=1:print_stacktrace=1"; }
