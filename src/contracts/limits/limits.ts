/** Every number of the contract that has a meaning; those of emulators, of a fleet, of MCP and of files have a file of their own beside this one. */

// Bodies and the execution payload
export const BODY_BYTES = 102_400
/** Counts the execution's JSON as UTF-8. */
export const EXECUTION_BYTES = 102_400
/** A legal execution nests 5 levels deep; whatever passes this cannot exhaust the stack of what walks it later. */
export const PAYLOAD_DEPTH_MAX = 64
export const ACTIONS_MIN = 1
export const ACTIONS_MAX = 50
export const ID_CHARS_MAX = 128
export const SOURCE_CHARS_MAX = 64
export const EXECUTION_TIMEOUT_MS = { min: 1_000, max: 120_000 } as const
/** The timeout of executions that the service builds itself (snapshot, screenshot). */
export const SYNTHETIC_TIMEOUT_MS = 30_000
export const MATCHER_CHARS_MAX = 512
export const URI_CHARS_MAX = 2_048

// Params of the actions
export const COORDINATE_MIN = 0
export const NAVIGATION_TIMEOUT_MS = { min: 1_000, max: 120_000, default: 15_000 } as const
export const WAIT_FOR_NAVIGATION_MS = { min: 1, max: 30_000 } as const
export const WAIT_FOR_NODE_MS = { min: 1, max: 120_000, default: 10_000 } as const
export const SLEEP_MS = { min: 0, max: 120_000 } as const
export const SWIPE_MS = { min: 1, max: 10_000, default: 300 } as const
export const SCROLL_DISTANCE_RATIO = { min: 0, max: 1, default: 0.7 } as const
export const SCROLL_SETTLE_MS = { min: 0, max: 10_000, default: 250 } as const
export const SCROLLS = { min: 1, max: 200, default: 20 } as const
export const SCROLL_DURATION_MS = { min: 0, max: 120_000, default: 10_000 } as const
export const SCROLL_STILL_THRESHOLD = { min: 1, max: 20, default: 3 } as const
export const SWIPES = { min: 1, max: 50, default: 10 } as const
export const VALIDATOR_PATTERN_CHARS_MAX = 512
export const ENTER_TEXT_CHARS_MAX = 512
export const OVERLAY_TEXT_CHARS_MAX = 2_048
export const OVERLAY_OFFSET_DP = { min: 0, max: 1_000, default: 8 } as const
export const OVERLAY_WIDTH_DP = { min: 80, max: 600, default: 280 } as const
export const OVERLAY_FONT_SP = { min: 8, max: 24, default: 12 } as const
export const OVERLAY_TTL_MS = { min: 1_000, max: 3_600_000, default: 300_000 } as const
export const RETRY_ATTEMPTS = { min: 1, max: 10 } as const
export const RETRY_INITIAL_DELAY_MS = { min: 0, max: 30_000 } as const
export const RETRY_MAX_DELAY_MS = { min: 0, max: 60_000 } as const
export const RETRY_BACKOFF = { min: 1, max: 5 } as const
export const RETRY_JITTER_RATIO = { min: 0, max: 1 } as const

// Executions
/** Added to `timeoutMs` for the wait for an envelope, and for the POST to a daemon. */
export const ENVELOPE_GRACE_MS = 5_000
/** The end of that wait: the operator side takes what still comes, and then says what it saw (missing chunks, log lines). */
export const LATE_ANSWER_MS = 1_000
/** How long after its end an execution in doubt is asked for: an operator app keeps its results for so long. */
export const EVIDENCE_KEPT_MS = 10 * 60_000
/** How long one question about an execution in doubt may take; so much longer may the next execution on that phone. */
export const EVIDENCE_ASK_MS = 2_000
/** How long a look at a receipt may wait for its outcome. */
export const OUTCOME_WAIT_MS = { min: 1, max: 120_000 } as const
/** How long a request may wait for a phone that is busy; without it a busy phone refuses at once. */
export const WAIT_FOR_PHONE_MS = { min: 0, max: 120_000 } as const
/** So many requests may wait for one device; more are refused at once. */
export const WAITING_MAX = 50
/** A request whose turn has come takes the device within this time, or the next one may. */
export const TURN_MS = 5_000
export const INTERACTIVE_REUSE_MS = 8_000
export const IDEMPOTENCY_KEEP_MS = 24 * 60 * 60 * 1_000
export const LIST_LIMIT = { min: 1, max: 1_000, default: 50 } as const
export const HISTORY_LIMIT = { min: 1, max: 1_000, default: 1_000 } as const

/** How often a process renews what it owns for longer than this, so that those that cannot see it know that it lives. */
export const LEASE_RENEW_MS = 10_000
/** An owner that cannot be seen from here counts as dead when it has not renewed its lease for this long. */
export const LEASE_EXPIRES_MS = 45_000

// Operator protocol
export const OPERATOR_PROTOCOL = 1
export const NONCE_HEX_CHARS = 32
export const SHA256_HEX_CHARS = 64
/** An envelope up to this size travels on one log line. */
export const RESULT_LINE_BYTES = 3_000
export const CHUNK_BYTES = 2_700
export const ENVELOPE_BYTES_MAX = 64 * 1_024 * 1_024
export const LOG_LINE_BYTES_MAX = 1_024 * 1_024
/** A longer quoted command has its payload pushed as a file. */
export const COMMAND_BYTES_MAX = 60_000
/** The debug bridge can carry no longer service string. */
export const SERVICE_STRING_BYTES_MAX = 65_535
export const SOCKET_FRAME_HEADER_BYTES = 4
/** An app with the capability `results` keeps the results of so many requests, for so long. */
export const RESULTS_KEPT = 64
export const RESULTS_KEPT_MS = 10 * 60 * 1_000

// The helper of svc.uiautomator
/** The helper holds UiAutomation, which others may want: it ends when nobody has used it for this long. */
export const HELPER_IDLE_MS = 60_000
export const HELPER_START_MS = 15_000
/** Ports that are taken: others are tried. */
export const HELPER_START_ATTEMPTS = 3
export const HELPER_SNAPSHOT_MS = 5_000
/** Added to the time that a gesture itself takes. */
export const HELPER_TOUCH_MS = 15_000
/** The helper gets this long to end by itself; then svc ends it. */
export const HELPER_QUIT_MS = 1_500
/** A phone may ask the person who holds it before it installs something. */
export const OPERATOR_INSTALL_MS = 90_000
/** Covers everything that `svc operator` does except installing. */
export const OPERATOR_ASK_MS = 20_000
export const OPERATOR_REPORT_MS = 5 * 60_000
export const HELPER_HEADER_BYTES_MAX = 64 * 1_024
export const HELPER_XML_BYTES_MAX = 16 * 1_024 * 1_024

// Compact screens
/** A longer label is cut in a compact line, which then says how many characters it has. */
export const COMPACT_LABEL_CHARS = 120
/** A longer hierarchy is read in a thread. For each ref that is looked for in it, its length counts once more. */
export const SCREEN_READ_HERE_CHARS = 512 * 1_024
/** How long a screen that gives no hierarchy is asked again before a ref counts as not found. */
export const REF_LOOK_MS = 5_000
/** Between two looks at a screen that may still change. */
export const LOOK_PAUSE_MS = 200
/** How long a screen may go on changing after an action before it is described as it is. */
export const OBSERVE_MS = 2_500
/** How long a screen that stays the same is given to change. */
export const OBSERVE_STILL_MS = 800
/** A look that takes longer has waited for the screen itself. */
export const OBSERVE_SLOW_LOOK_MS = 700
/** Covers all looks after an action; later the answer goes out without the screen. */
export const OBSERVE_LOOKS_MS = 10_000
/** A failure lists this many lines of the screen and says how many more there are. */
export const STALE_LINES_MAX = 60
/** The labels that are named where no node matched. */
export const NEAREST_LABELS_MAX = 5
/** A look at the screen on which a step failed ends in this time. */
export const FAILURE_LOOK_MS = 2_000
/** The look ends so long before the caller is answered anyway: the end of the execution is yet to be recorded. */
export const FAILURE_ANSWER_MS = 500

// Policy
export const POLICY_BYTES_MAX = 1_024 * 1_024
export const POLICY_RULES_MAX = 1_000
/** A swipe that moves no further may count as a tap: twice the touch slop of the densest screens. */
export const TAP_PX_MAX = 64

// Devices
/** A listing waits for a server that may have to be started, and for devices that may not answer. */
export const DEVICES_LIST_MS = 15_000

// HTTP and events
export const SERVE_PORT = 3_000
export const PORT_MAX = 65_535
/** A shorter token can be guessed; a longer one does not fit into a header that the server reads. */
export const SERVE_TOKEN_CHARS = { min: 16, max: 4_096 } as const
export const SHUTDOWN_GRACE_MS = 5_000
export const SSE_KEEPALIVE_MS = 15_000
export const SSE_QUEUE_EVENTS = 1_000
/** WebSocket clients of one server. */
export const INSPECT_CLIENTS_MAX = 16
/** A client that has more than this waiting for it is disconnected. */
export const INSPECT_QUEUE_BYTES = 4 * 1_024 * 1_024

/** Limits finding out whether the server on a port is ours. */
export const SERVER_LOOK_MS = 2_000
/** How many executions are looked at by filters for which the journal has no index, newest first. */
export const EXECUTIONS_SEARCHED_MAX = 1_000
export const VIEWER_ACTORS_MAX = 1_000
/** Records of one execution, records of one skill run, and executions of one skill run. */
export const TRACE_MAX = 1_000
/** Nodes of a snapshot that are drawn where no screenshot is. */
export const DRAWN_NODES_MAX = 2_000
/** The newest executions of a device, in which its screen is looked for. */
export const SCREEN_SEARCHED_MAX = 50
/** Pictures that looks of the viewer leave on this host; older ones are deleted. */
export const LOOKS_KEPT = 5
/** All pictures that one exported trace holds. */
export const TRACE_PICTURES_BYTES_MAX = 64 * 1_024 * 1_024

// Skills
export const SKILL_TIMEOUT_MS = 120_000
/** The terminal of an agent is wide, because some programs break their lines at the edge. */
export const SKILL_TERMINAL_COLUMNS = 4_096
export const SKILL_KILL_GRACE_MS = 3_000
/** After SIGKILL: how long a grandchild may still hold stdout before the run is answered without it. */
export const SKILL_CLOSE_GRACE_MS = 1_000
/** A run answers within this time of its deadline, or of its cancellation, whatever fails. */
export const SKILL_TIMEOUT_ANSWER_MS = 5_000
/** At once in one process: each is a child, and up to twice CAPTURE_BYTES of what it prints. */
export const SKILL_RUNS_MAX = 64
/** At once in one process: each holds its flows and waits for a phone. */
export const TEST_RUNS_MAX = 64
export const CAPTURE_BYTES = 32 * 1_024 * 1_024
/** The message of a failed run quotes this much of what the skill itself says. */
export const SKILL_REASON_CHARS_MAX = 500
export const COMPILE_HASH_HEX_CHARS = 12
export const SCAFFOLD_FILES = 4
/** One recipe of a recorded skill stays below an execution's limit, to leave room for the values of its parameters. */
export const RECORDED_RECIPE_BYTES = 48_000
/** How long the steps of one such recipe took: a quarter of the longest timeout, for slower days. */
export const RECORDED_RECIPE_MS = 30_000
/** Executions that one skill is recorded from. */
export const RECORDED_FROM_MAX = 200
/** The longest delay a Node timer keeps; a longer one fires at once. */
export const TIMER_MS_MAX = 2_147_483_647

// Daemon
export const DAEMON_READY_MS = 3_000
export const DAEMON_POLL_MS = 100
export const DAEMON_PING_MS = 500
export const DAEMON_REPLACE_MS = 3_000
export const DAEMON_LOCK_MS = 3_000
/** An unreadable lock younger than this may still be in the writing. */
export const DAEMON_LOCK_UNREADABLE_MS = 3_000
export const DAEMON_STOP_MS = 2_000
export const DAEMON_IDLE_MS = 30 * 60 * 1_000
export const DAEMON_LOG_BYTES = 5 * 1_024 * 1_024
export const SOCKET_PATH_BYTES_MAX = 103
export const HOME_MODE = 0o700
export const STATE_FILE_MODE = 0o600

// Simulator
/** A dump that becomes a screen: far above what a phone's screen has, yet quick to read. */
export const DUMP_CHARS_MAX = 4 * 1_024 * 1_024
export const DUMP_NODES_MAX = 10_000
export const DUMP_DEPTH_MAX = 100
export const DUMP_FILES_MAX = 100

// Journal
export const JOURNAL_KEEP_MS = 7 * 24 * 60 * 60 * 1_000
export const JOURNAL_BYTES_MAX = 512 * 1_024 * 1_024
/** Up to here a body is kept in the row that names it: a row of its own and the indexes that find it would be more to write. */
export const BODY_INLINE_BYTES = 2_048
/** Compiled code of svc itself: two builds of Node fit. */
export const CODE_CACHE_BYTES_MAX = 64 * 1_024 * 1_024
export const CODE_CACHE_FILES_MAX = 500
/** With less than this free, the disk will soon be too full for the journal. */
export const DISK_FREE_LEAST = { bytes: 64 * 1_024 * 1_024, inodes: 100 } as const
/**
 * Refusals with one code and device that are recorded one by one; further ones of that time are counted. Those of
 * more devices at once are told to whoever listens, and kept nowhere.
 */
export const REFUSALS_RECORDED = { count: 5, withinMs: 10_000, devices: 1_000 } as const
/** Every process that opens an actor folds its records since the newest checkpoint: a command has to do so each time. */
export const CHECKPOINT_RECORDS = 60
/** A resting actor that nobody used for this long is dropped from memory; its history stays. */
export const ACTOR_REST_MS = 60_000

// Installer
/** A managed folder with more files, or longer ones, was filled by somebody else. */
export const MANAGED_FILES_MAX = 64
export const MANAGED_FILE_BYTES_MAX = 256 * 1_024
/** A longer AGENTS.md is left alone. */
export const SHARED_GUIDE_BYTES_MAX = 1_024 * 1_024
/** The guide names this many applications and skills, and says how many more there are. */
export const GUIDE_APPS_MAX = 40
export const GUIDE_SKILLS_MAX = 200
export const GUIDE_SUMMARY_CHARS_MAX = 160
/** `npm view` may have to ask over a slow line. */
export const UPGRADE_CHECK_MS = 20_000
export const UPGRADE_ANSWER_CHARS_MAX = 64 * 1_024

/**
 * An id is cancelled ahead of its request for so long after it was made: how far the clock of a caller of another machine
 * may be from ours, and how long a request may be on its way.
 */
export const CANCEL_AHEAD_MS = 3_600_000

/** The length of a request of a flow's script, as JSON. */
export const SCRIPT_REQUEST_CHARS_MAX = 16_777_216

/** The headers of a request of a flow's script, and the parts of its form. */
export const SCRIPT_REQUEST_ENTRIES_MAX = 1_000
