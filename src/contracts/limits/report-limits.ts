/** Limits of the reports of test runs. */

/** GitLab reads no larger JUnit file. */
export const JUNIT_BYTES_MAX = 30_000_000

/** All pictures, all traces, all logs and all flows that one HTML report holds. */
export const REPORT_PICTURES_BYTES_MAX = 32 * 1_024 * 1_024
export const REPORT_TRACES_BYTES_MAX = 32 * 1_024 * 1_024
export const REPORT_TEXTS_BYTES_MAX = 8 * 1_024 * 1_024
export const REPORT_SOURCES_BYTES_MAX = 16 * 1_024 * 1_024

/** One log, and one flow: a longer flow is not run either. */
export const REPORT_TEXT_BYTES_MAX = 512 * 1_024
export const REPORT_SOURCE_BYTES_MAX = 1_024 * 1_024

/** Executions whose traces one HTML report looks up, and those that may turn out to be too large for what is left. */
export const REPORT_TRACES_MAX = 2_000
export const REPORT_TRACES_TOO_LARGE_MAX = 20
