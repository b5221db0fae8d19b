/** The rows of the contract that the machines carry, by name. Edges cite them, and a test holds both sides together. */
export const ROWS = {
  // Device: one execution at a time, with a receipt
  'device.requested': 'An accepted execution gets an executionId and a receipt',
  'device.conflict':
    'EXECUTION_CONFLICT_IN_FLIGHT: one execution per device on the whole host; details name the holder',
  'device.waiting':
    'Waiting for a phone: first come first served; its place is a transition on the device, accepted once it owns the phone',
  'device.left':
    'DELETE, SIGINT, the end of its process or of its connection, and the end of its time take a request out of the queue, and nothing acts',
  'device.dispatched': 'The receipt says dispatched before the first byte leaves: nothing is ever sent twice',
  'device.segment':
    'Steps run in the listed order: consecutive operator steps travel together, host steps run between them',
  'device.settled': 'An execution yields a terminal result envelope or a host failure: the receipt is settled',
  'device.refused-before-dispatch':
    'A refusal before dispatch (OPERATOR_NOT_INSTALLED, ...) settles a receipt without dispatchedAt',
  'device.timeout': 'RESULT_ENVELOPE_TIMEOUT: the wait for an envelope ends timeoutMs + 5000 after dispatch',
  'device.cancel':
    'Cancel stops waiting and settles as EXECUTION_CANCELLED; the lease stays until the operator answers or timeoutMs has passed',
  'device.evidenced':
    'Steps proven, or the whole result, with source and time: `outcome` moves from unknown to done, failed or not_sent, once',
  'device.interrupted':
    'A host that dies in mid-execution: the next one settles it as EXECUTION_INTERRUPTED with `dispatched`',

  // Wrapper outcome of a skill run
  'skill-run.framed-success': 'child exits 0, a valid frame was parsed, any declared verification proved: success',
  'skill-run.unframed-success': 'child exits 0, no frame, skill is not agent-driven: success, skillResult = null',
  'skill-run.not-proved':
    'child exits 0, declared verification not proved: indeterminate, SKILL_VERIFICATION_INDETERMINATE',
  'skill-run.frame-missing':
    'agent-driven script exits 0 without the terminal frame: failed, SKILL_RESULT_PARSE_FAILED',
  'skill-run.frame-malformed': 'frame malformed or untrusted: failed, SKILL_RESULT_PARSE_FAILED',
  'skill-run.domain-failure': 'run with declared verification reports domain failure: failed',
  'skill-run.child-failed': 'child exits non-zero or cannot be spawned: failed, SKILL_EXECUTION_FAILED',
  'skill-run.timeout': 'timeout elapsed: failed, SKILL_EXECUTION_TIMEOUT, partial stdout kept',
  'skill-run.assertion-failed': '--expect-contains text absent from stdout: failed, SKILL_OUTPUT_ASSERTION_FAILED',

  // One attempt of a flow, and its verdict
  'flow-run.command': 'Each command is an execution with receipt, filed under the flow run',
  'flow-run.hook-failed': 'onFlowComplete also runs after an onFlowStart that failed; the main part is then skipped',
  'flow-run.complete-always': 'onFlowComplete also runs after a failed main part; a hook that fails fails the flow',
  'flow-run.passed': 'passed: every command has passed',
  'flow-run.failed': 'failed: what the app or the suite did',
  'flow-run.indeterminate': 'indeterminate: what happened to us (link lost, operator or host gone, outcome unknown)',
  'flow-run.interrupted': 'A killed runner leaves runs that --resume continues',
  'flow-run.resumed': '--resume goes on after the last proven command: nothing is tapped twice',

  // A run of flows
  'test-run.queue': 'Every free phone takes the next flow',
  'test-run.shard-all': '--shard-all: every phone runs every flow',
  'test-run.order': 'executionOrder: one after the other; continueOnFailure false skips what follows a failure',
  'test-run.retry': '--retries: a new attempt is a new flow run; both are kept, and the last one counts',
  'test-run.lost-phone':
    "a lost phone's flow begins anew if all that acted in the attempt is proven done or proven not sent",
  'test-run.fail-fast': '--fail-fast: no flow is begun after one has failed',
  'test-run.no-phone': 'flows that no phone takes in time are indeterminate: the app did nothing',
  'test-run.failed': 'A run is failed if one flow is',
  'test-run.indeterminate': 'else indeterminate if one flow is',
  'test-run.passed': 'else passed',
  'test-run.cancelled': 'DELETE cancels: running attempts end, no other begins',
  'test-run.resumed': '--resume continues a run whose process was killed',

  // Reservation of a phone
  'reservation.exclusive': 'A reservation keeps one phone for one caller: only requests with its Svc-Lease act on it',
  'reservation.expired': 'Its time is over: what is in flight ends as it does, and nothing new begins',
  'reservation.owner-ended': 'The end of its process, also by a crash, frees the phone at once',

  // Daemon (per device key)
  'daemon.start': 'not_running, daemon start: started, then running; spawns the run process, waits for /ping',
  'daemon.start-live': 'running, daemon start: already_running, nothing spawned',
  'daemon.start-failed': 'DAEMON_START_FAILED: /ping not reachable within 3000 ms, or the process cannot be spawned',
  'daemon.stop': 'running, daemon stop: stopped, then not_running; SIGTERM, PID and socket files removed',
  'daemon.stop-nothing': 'not_running, daemon stop: not_running',
  'daemon.stop-failed': 'DAEMON_STOP_FAILED: the process cannot be signaled or cleaned up',
  'daemon.status-running': 'any, daemon status: /ping answers and metadata identifies a live managed daemon: running',
  'daemon.status-silent': 'any, daemon status: no answer: not_running',
  'daemon.status-unowned':
    'any, daemon status: /ping answers but metadata does not identify a live managed daemon: unowned, left untouched',
  'daemon.restart': 'running, daemon restart: stop then start',
  'daemon.differs': 'running, proxy finds another version or build identity: stopped then started',
  'daemon.socket-missing': 'missing socket, proxied command: started, serialized with the lifecycle lock',
  'daemon.socket-refused': 'socket present, connection refused, proxied command: started, stale socket deleted first',

  // Emulator (AVD)
  'emulator.create': 'none, create: exists, not running; returns the AVD record',
  'emulator.start': 'exists, start: running, booted; waits for registration and boot, then enables developer settings',
  'emulator.start-running': 'running, start: unchanged, EMULATOR_ALREADY_RUNNING',
  'emulator.start-missing': 'AVD missing, start: unchanged, EMULATOR_NOT_FOUND',
  'emulator.stop': 'running, stop: not running; returns stopped = true',
  'emulator.delete': 'exists, DELETE: none; returns deleted = true',
  'emulator.provision-reuse': 'any, provision: reuses a supported running emulator',
  'emulator.provision-start': 'any, provision: starts an existing supported AVD',
  'emulator.provision-create': 'any, provision: creates and starts a new one',

  // Proxy selection
  'proxy.disabled': '1. With --no-daemon or SVC_NO_DAEMON=1 the command runs direct',
  'proxy.relative-path': '2. take_screenshot with a relative params.path runs direct before any daemon startup',
  'proxy.windows': '3. On Windows the command runs direct',
  'proxy.foreign': '4. A responding socket not owned by the managed daemon: direct run, listener untouched',
  'proxy.not-ready': '5. A daemon that is not ready before dispatch: direct run for that call',
  'proxy.post': '6. Otherwise the payload goes to POST /execute on the daemon socket',
  'proxy.failed-before': 'A failure before dispatch may fall back to a direct run',

  // After the request body was written
  'proxy.lost-exec': 'exec: DAEMON_PROXY_ERROR, never rerun direct',
  'proxy.lost-flat': 'flat action commands: DAEMON_PROXY_ERROR, never rerun direct',
  'proxy.lost-screenshot': 'screenshot: DAEMON_PROXY_ERROR, never rerun direct (it can write a host file)',
  'proxy.lost-snapshot': 'snapshot: may rerun direct once (read-only)',
} as const

export type RowId = keyof typeof ROWS

/** Why an edge exists: the rows it carries, or a reason where the contract has none. */
export interface EdgeMeta {
  rows?: readonly RowId[]
  reason?: string
  /** A late or foreign event that changes nothing; left out of the pictures. */
  stray?: boolean
}

export const cites = (...rows: [RowId, ...RowId[]]): EdgeMeta => ({ rows })

export const because = (reason: string): EdgeMeta => ({ reason })
