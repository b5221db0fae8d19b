/** The numbers of emulators: how long each phase and each question may take, and how much is kept. */
export const EMULATOR_API_LEVEL = 35
export const EMULATOR_STORAGE_GB = 12
export const EMULATOR_REGISTER_MS = 60_000
export const EMULATOR_BOOT_MS = 180_000
export const EMULATOR_POLL_MS = 500
export const EMULATOR_STOP_MS = 30_000
export const EMULATOR_PREPARE_MS = 30_000
/** Limits one question to an emulator; one that hangs is listed without the answer. */
export const EMULATOR_ASK_MS = 3_000
/** Over the phases of a change: for looking first, and for undoing. */
export const EMULATOR_ASK_SLACK_MS = 60_000
/** How soon the death of a starting emulator is noticed. */
export const EMULATOR_ALIVE_POLL_MS = 100
/** After SIGTERM, and again after SIGKILL. */
export const EMULATOR_END_MS = 5_000
export const EMULATOR_LOG_TAIL_BYTES = 16_384
/** Disk space for an image, its unpacking and the first start of an AVD. */
export const EMULATOR_DISK_BYTES = 6 * 1_024 * 1_024 * 1_024
export const AVD_CREATE_MS = 120_000
export const AVD_LIST_MS = 3_000
export const AVD_NAME_CHARS_MAX = 128
export const IMAGE_INSTALL_MS = 300_000
export const STORAGE_GB_MAX = 4_096
/** A failure quotes this much of the end of an SDK tool's output. */
export const SDK_OUTPUT_CHARS_KEPT = 8_192
/** Bounds all that a tool prints, where svc parses it. */
export const SDK_OUTPUT_CHARS_MAX = 4 * 1_024 * 1_024
export const TOOL_KILL_GRACE_MS = 3_000
