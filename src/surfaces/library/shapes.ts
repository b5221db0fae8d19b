/** The shapes that svc takes and answers. Generated from its contract by `npm run docs`: edits are lost. */

/** The answer of a call that acted: its receipt has the id, and `observed` is there where the caller asked for it. */
export interface Answer<Data> {
  executionId: string
  data: Data
  observed?: ObservedScreen
}

/** The screen after an execution: what has changed on it, in compact lines. */
export interface ObservedScreen {
  screen?: number
  text: string
}

/** Every request: what it takes, and what it answers. */
export interface Requests {
  /** Checks that the server is alive. (`GET /ping`) */
  'server.ping': {
    input: {}
    answer: PingResponse
  }
  /** What fails in the server beside its answers; empty when it is well. (`GET /health`) */
  'server.health': {
    input: {}
    answer: HealthResponse
  }
  /** The version and build of the server. (`GET /version`) */
  'server.version': {
    input: {}
    answer: VersionResponse
  }
  /** Every request as an OpenAPI 3.1 document. (`GET /openapi.json`) */
  'server.openapi': {
    input: {}
    answer: { [key: string]: unknown }
  }
  /** The devices as the debug bridge lists them, in every state. (`GET /devices`) */
  'devices.list': {
    input: DevicesQuery
    answer: DevicesResponse
  }
  /** A device in its own words: model, Android version, display, battery, and the application in front. (`GET /devices/:deviceId`) */
  'devices.get': {
    input: { deviceId: string }
    answer: DeviceResponse
  }
  /** The applications that the user of a device has, by name. (`GET /devices/:deviceId/apps`) */
  'apps.list': {
    input: { deviceId: string } & AppsQuery
    answer: AppsResponse
  }
  /** The settings of a device that svc can change: the present value of each, or null. (`GET /devices/:deviceId/settings`) */
  'settings.get': {
    input: { deviceId: string }
    answer: SettingsResponse
  }
  /** An application in the words of the device: version, state, and permissions. (`GET /devices/:deviceId/apps/:applicationId`) */
  'apps.get': {
    input: { deviceId: string; applicationId: string }
    answer: AppResponse
  }
  /** The files and folders in a folder of a device, by name; or a single file. (`GET /devices/:deviceId/files`) */
  'files.list': {
    input: { deviceId: string } & FilesQuery
    answer: FilesResponse
  }
  /** The last lines of the log of a device, or those after a position. (`GET /devices/:deviceId/logs/lines`) */
  'logs.read': {
    input: { deviceId: string } & LogLinesQuery
    answer: LogLinesResponse
  }
  /** The notifications that a device shows, the latest first. (`GET /devices/:deviceId/notifications`) */
  'notifications.list': {
    input: { deviceId: string }
    answer: NotificationsResponse
  }
  /** The frames that an application has drawn since it was started, and how many of them came late. (`GET /devices/:deviceId/apps/:applicationId/frames`) */
  'apps.frames': {
    input: { deviceId: string; applicationId: string }
    answer: FramesResponse
  }
  /** The memory of an application that runs, in kB. (`GET /devices/:deviceId/apps/:applicationId/memory`) */
  'apps.memory': {
    input: { deviceId: string; applicationId: string }
    answer: MemoryResponse
  }
  /** The ports of the host that lead to a device. (`GET /devices/:deviceId/forwards`) */
  'forwards.list': {
    input: { deviceId: string }
    answer: ForwardsResponse
  }
  /** Has a port of the host lead to a port or socket of a device. For this user only, over the socket of the daemon. (`POST /devices/:deviceId/forwards`) */
  'forwards.add': {
    input: { deviceId: string } & ForwardBody
    answer: ForwardResponse
  }
  /** Ends a forward, named by its end at the host. (`DELETE /devices/:deviceId/forwards/:end`) */
  'forwards.remove': {
    input: { deviceId: string; end: string }
    answer: ForwardResponse
  }
  /** The ports of a device that lead to the host. (`GET /devices/:deviceId/reverses`) */
  'reverses.list': {
    input: { deviceId: string }
    answer: ReversesResponse
  }
  /** Has a port or socket of a device lead to a port of the host. For this user only, over the socket of the daemon. (`POST /devices/:deviceId/reverses`) */
  'reverses.add': {
    input: { deviceId: string } & ReverseBody
    answer: ReverseResponse
  }
  /** Ends a reverse, named by its end at the device. (`DELETE /devices/:deviceId/reverses/:end`) */
  'reverses.remove': {
    input: { deviceId: string; end: string }
    answer: ReverseResponse
  }
  /** Starts to record the screen of a device; answers once it records. Executions run meanwhile. (`POST /devices/:deviceId/recording`) */
  'recording.start': {
    input: { deviceId: string } & RecordingRequestInput
    answer: RecordingResponse
  }
  /** The recording that is being made of a device, else the last one; null when there was none. (`GET /devices/:deviceId/recording`) */
  'recording.status': {
    input: { deviceId: string }
    answer: RecordingStatusResponse
  }
  /** Stops the recording of a device; answers once all of it is on the host. (`DELETE /devices/:deviceId/recording`) */
  'recording.stop': {
    input: { deviceId: string }
    answer: RecordingResponse
  }
  /** The manifest of a recording of this host. (`GET /recordings/:recordingId`) */
  'recordings.get': {
    input: { recordingId: string }
    answer: RecordingResponse
  }
  /** The video of one segment of a recording of this host; 206 for a Range, 416 for one behind its end. (`GET /recordings/:recordingId/segments/:segment`) */
  'recordings.video': {
    input: { recordingId: string; segment: string }
    answer: Uint8Array
  }
  /** Reserves a device: until the end of the reservation, only requests with its leaseId in Svc-Lease act on the device. (`POST /leases`) */
  'leases.create': {
    input: LeaseBody
    answer: LeaseResponse
  }
  /** The reservations that are held now, the oldest first. (`GET /leases`) */
  'leases.list': {
    input: {}
    answer: LeasesResponse
  }
  /** Sets the end of a reservation to so many milliseconds from now, which may also be sooner than before. (`PUT /leases/:leaseId`) */
  'leases.extend': {
    input: { leaseId: string } & LeaseExtension
    answer: LeaseResponse
  }
  /** Gives the device back. An execution of the reservation that is in flight ends as it does. (`DELETE /leases/:leaseId`) */
  'leases.end': {
    input: { leaseId: string }
    answer: LeaseResponse
  }
  /** Runs an execution on a device. Status 200 means that it ran; the status of its envelope may still be failed. (`POST /execute`) */
  'execute': {
    input: ExecuteRequestInput
    answer: ExecutionSuccess
  }
  /** Reads the screen of a device as hierarchy XML, or in compact lines. (`POST /snapshot`) */
  'snapshot': {
    input: SnapshotBody
    answer: ExecutionSuccess
  }
  /** Takes a picture of the screen and writes it to a file on this host. (`POST /screenshot`) */
  'screenshot': {
    input: ScreenshotBody
    answer: ExecutionSuccess
  }
  /** The receipts of accepted executions, newest first. (`GET /executions`) */
  'executions.list': {
    input: ExecutionsQueryInput
    answer: ReceiptsResponse
  }
  /** The receipt of one execution. (`GET /executions/:executionId`) */
  'executions.get': {
    input: { executionId: string }
    answer: ReceiptResponse
  }
  /** Stops waiting for an execution; for one that has already ended, returns its receipt. (`DELETE /executions/:executionId`) */
  'executions.cancel': {
    input: { executionId: string }
    answer: ReceiptResponse
  }
  /** Runs the steps of an execution that are not proven to have run, as a new execution; once. (`POST /executions/:executionId/resume`) */
  'executions.resume': {
    input: { executionId: string } & ResumeBody
    answer: ExecutionSuccess
  }
  /** What happened in one execution: its steps, their times, and its records. (`GET /executions/:executionId/trace`) */
  'executions.trace': {
    input: { executionId: string }
    answer: TraceResponse
  }
  /** The same as one HTML file that opens from disk. (`GET /executions/:executionId/trace.html`) */
  'executions.traceFile': {
    input: { executionId: string }
    answer: string
  }
  /** The picture that a take_screenshot step has written, while the file is as it was; position where steps share an id. (`GET /executions/:executionId/screenshots/:step`) */
  'executions.picture': {
    input: { executionId: string; step: string } & PictureQuery
    answer: Uint8Array
  }
  /** The skills of the registry; app and intent match exactly, keyword is a part of id, summary or app. (`GET /skills`) */
  'skills.list': {
    input: SkillsQuery
    answer: SkillsResponse
  }
  /** One skill of the registry. (`GET /skills/:skillId`) */
  'skills.get': {
    input: { skillId: string }
    answer: SkillResponse
  }
  /** Runs a skill; ok is null when a declared verification was not proved. (`POST /skills/:skillId/run`) */
  'skills.run': {
    input: { skillId: string } & SkillRunBody
    answer: SkillRunResponse
  }
  /** What happened in one skill run: its executions step by step, and its records. (`GET /skill-runs/:runId/trace`) */
  'skillRuns.trace': {
    input: { runId: string }
    answer: TraceResponse
  }
  /** The same as one HTML file that opens from disk. (`GET /skill-runs/:runId/trace.html`) */
  'skillRuns.traceFile': {
    input: { runId: string }
    answer: string
  }
  /** Checks all files, and runs flows on every phone that is free: `GET /test-runs/:testRunId` tells how far it is. (`POST /test-runs`) */
  'testRuns.start': {
    input: TestRunRequest
    answer: TestRunBegun
  }
  /** The latest runs of flows of this host, the newest first, without their commands. (`GET /test-runs`) */
  'testRuns.list': {
    input: {}
    answer: TestRunsResponse
  }
  /** One run with its flows, the attempts of each, and their commands. (`GET /test-runs/:testRunId`) */
  'testRuns.get': {
    input: { testRunId: string }
    answer: TestRunResponse
  }
  /** Cancels a run: attempts that are under way end, and no other begins. (`DELETE /test-runs/:testRunId`) */
  'testRuns.cancel': {
    input: { testRunId: string }
    answer: TestRunResponse
  }
  /** The configured AVDs, and which of them run. (`GET /android/emulators`) */
  'emulators.list': {
    input: {}
    answer: AvdsResponse
  }
  /** The emulators that the debug bridge lists. (`GET /android/emulators/running`) */
  'emulators.running': {
    input: {}
    answer: RunningEmulatorsResponse
  }
  /** One AVD; exists is false for an unknown one. (`GET /android/emulators/:name`) */
  'emulators.get': {
    input: { name: string }
    answer: AvdResponse
  }
  /** Makes an AVD; its system image is installed first if it is missing. (`POST /android/emulators/create`) */
  'emulators.create': {
    input: AvdCreateRequestInput
    answer: AvdResponse
  }
  /** Starts the emulator of an AVD and waits until it has booted. (`POST /android/emulators/:name/start`) */
  'emulators.start': {
    input: { name: string } & StartRequest
    answer: AvdStartResponse
  }
  /** Ends the emulator of an AVD and waits until it is gone. (`POST /android/emulators/:name/stop`) */
  'emulators.stop': {
    input: { name: string }
    answer: AvdStopResponse
  }
  /** Deletes an AVD that does not run. (`DELETE /android/emulators/:name`) */
  'emulators.delete': {
    input: { name: string }
    answer: AvdDeleteResponse
  }
  /** Brings up a supported emulator: one that runs, an AVD that exists, or a new one. (`POST /android/provision/emulator`) */
  'emulators.provision': {
    input: ProvisionRequest
    answer: ProvisionResponse
  }
  /** Live and recent actors, most recent first. (`GET /actors`) */
  'actors.list': {
    input: {}
    answer: ActorsResponse
  }
  /** One actor. (`GET /actors/:id`) */
  'actors.get': {
    input: { id: string }
    answer: ActorResponse
  }
  /** The recorded events of an actor, oldest first. (`GET /actors/:id/history`) */
  'actors.history': {
    input: { id: string } & HistoryQueryInput
    answer: ActorHistoryResponse
  }
  /** The records of an actor as the journal has them, oldest first: what a fold needs. (`GET /actors/:id/records`) */
  'actors.records': {
    input: { id: string } & HistoryQueryInput
    answer: ActorRecordsResponse
  }
  /** The body of a record: the execution that was asked for, the envelope that came back. (`GET /actors/:id/records/:seq/body`) */
  'actors.recordBody': {
    input: { id: string; seq: string }
    answer: RecordBodyResponse
  }
  /** Live and recent actors, each with what it works on and when it entered its state. (`GET /inspector/actors`) */
  'viewer.actors': {
    input: {}
    answer: ViewedActorsResponse
  }
  /** Accepted executions without their results, newest first; filters look at the newest 1000, and the answer says when there are older ones. (`GET /inspector/executions`) */
  'viewer.executions': {
    input: ExecutionSummariesQueryInput
    answer: ExecutionSummariesResponse
  }
  /** The newest recorded snapshot and screenshot of a device. Nothing is sent to it. (`GET /inspector/devices/:serial`) */
  'viewer.deviceScreen': {
    input: { serial: string }
    answer: DeviceScreenResponse
  }
  /** Takes a snapshot and a screenshot for the viewer. Only the newest 5 of these pictures are kept. (`POST /inspector/looks`) */
  'viewer.look': {
    input: LookBody
    answer: ExecutionSuccess
  }
  /** The hosts of the fleet, their versions and devices, how far their mirrors are behind, and when they were heard. (`GET /fleet`) */
  'fleet.status': {
    input: {}
    answer: FleetStatusResponse
  }
  /** Has a host take nothing new, finish what runs and give its phones back. (`POST /fleet/hosts/:host/drain`) */
  'fleet.drain': {
    input: { host: string }
    answer: FleetHostResponse
  }
  /** Forgets a host that is gone: it is listed no more. (`DELETE /fleet/hosts/:host`) */
  'fleet.forget': {
    input: { host: string }
    answer: FleetHostResponse
  }
  /** Takes a piece of a file that an execution for a phone of this host will read; for the hosts of a fleet alone. (`POST /fleet/parcels/:digest`) */
  'parcels.put': {
    input: { digest: string } & ParcelPiece
    answer: ParcelReceived
  }
  /** A piece of a file that an execution has pulled from a phone of this host; for the hosts of a fleet alone. (`GET /fleet/parcels/:executionId/:position`) */
  'parcels.get': {
    input: { executionId: string; position: string } & BroughtQuery
    answer: BroughtPiece
  }
}

/** The params of the action `open_app`. */
export interface OpenAppParams {
  applicationId: string
  /** Default false. */
  skipNavigationWait?: boolean
  /** 1000 to 120000, default 15000. */
  navigationTimeoutMs?: number
  /** At most 255 characters. */
  activity?: string
  arguments?: { [key: string]: string | boolean | number }
  clearState?: boolean
  stopFirst?: boolean
  permissions?: { [key: string]: 'allow' | 'deny' | 'unset' }
  ifRequested?: boolean
}

/** The params of the action `open_uri`. */
export interface OpenUriParams {
  /** At most 2048 characters. */
  uri: string
  browser?: boolean
}

/** The params of the action `close_app`. */
export interface CloseAppParams {
  applicationId: string
  background?: boolean
}

/** The params of the action `install_app`. */
export interface InstallAppParams {
  /** At most 50 items. */
  paths: string[]
  /** Default false. */
  grantPermissions?: boolean
  /** Default false. */
  downgrade?: boolean
}

/** The params of the action `uninstall_app`. */
export interface UninstallAppParams {
  applicationId: string
  /** Default false. */
  keepData?: boolean
}

/** The params of the action `clear_app`. */
export interface ClearAppParams {
  applicationId: string
}

/** The params of the action `push_file`. */
export interface PushFileParams {
  from: string
  /** At most 900 characters. */
  to: string
  applicationId?: string
  /** Default true. */
  overwrite?: boolean
}

/** The params of the action `pull_file`. */
export interface PullFileParams {
  /** At most 900 characters. */
  from: string
  to: string
  applicationId?: string
  /** Default false. */
  overwrite?: boolean
}

/** The params of the action `remove_file`. */
export interface RemoveFileParams {
  /** At most 900 characters. */
  path: string
  applicationId?: string
  /** Default false. */
  recursive?: boolean
}

/** The params of the action `add_media`. */
export interface AddMediaParams {
  /** At most 50 items. */
  paths: string[]
}

/** The params of the action `set_permission`. */
export interface SetPermissionParams {
  applicationId: string
  permission: string
  state: 'allow' | 'deny' | 'unset'
  ifRequested?: boolean
}

/** The params of the action `change_setting`. */
export interface ChangeSettingParams {
  setting: 'orientation' | 'dark_mode' | 'animations' | 'wifi' | 'mobile_data' | 'airplane_mode' | 'stay_awake' | 'font_scale' | 'brightness' | 'locale' | 'location' | 'battery'
  value: boolean | number | string | {
    /** -90 to 90. */
    latitude: number
    /** -180 to 180. */
    longitude: number
  } | {
    /** 0 to 100. */
    level: number
    plugged?: 'none' | 'ac' | 'usb' | 'wireless'
  }
  applicationId?: string
  /** Default false. */
  force?: boolean
}

/** The params of the action `restore_settings`. */
export interface RestoreSettingsParams {
  settings?: ('orientation' | 'dark_mode' | 'animations' | 'wifi' | 'mobile_data' | 'airplane_mode' | 'stay_awake' | 'font_scale' | 'brightness' | 'locale' | 'location' | 'battery')[]
}

/** The params of the action `measure_startup`. */
export interface MeasureStartupParams {
  applicationId: string
  /** 1 to 20, default 5. */
  runs?: number
  /** Default true. */
  stopFirst?: boolean
}

/** The params of the action `click`. */
export interface ClickParams {
  matcher?: Matcher
  coordinate?: {
    x: number
    y: number
  }
  point?: {
    /** 0 to 100. */
    x: number
    /** 0 to 100. */
    y: number
    unit: 'percent'
  } | {
    x: number
    y: number
    unit: 'pixel'
  }
  /** Default 'default'. */
  clickType?: 'default' | 'long_click' | 'focus'
  /** 1 to 10000. */
  holdMs?: number
  /** 1 to 100. */
  repeat?: number
  /** 0 to 10000. */
  repeatDelayMs?: number
  retry?: Retry
  scrollRetry?: Retry
  clickRetry?: Retry
}

/** The params of the action `double_tap`. */
export interface DoubleTapParams {
  matcher?: Matcher
  coordinate?: {
    x: number
    y: number
  }
  point?: {
    /** 0 to 100. */
    x: number
    /** 0 to 100. */
    y: number
    unit: 'percent'
  } | {
    x: number
    y: number
    unit: 'pixel'
  }
}

/** The params of the action `swipe`. */
export interface SwipeParams {
  start?: {
    /** 0 to 100. */
    x: number
    /** 0 to 100. */
    y: number
    unit: 'percent'
  } | {
    x: number
    y: number
    unit?: 'pixel'
  }
  end?: {
    /** 0 to 100. */
    x: number
    /** 0 to 100. */
    y: number
    unit: 'percent'
  } | {
    x: number
    y: number
    unit?: 'pixel'
  }
  direction?: 'down' | 'up' | 'left' | 'right'
  from?: {
    matcher?: Matcher
    coordinate?: {
      x: number
      y: number
    }
  }
  point?: {
    /** 0 to 100. */
    x: number
    /** 0 to 100. */
    y: number
    unit: 'percent'
  } | {
    x: number
    y: number
    unit: 'pixel'
  }
  /** 1 to 10000, default 300. */
  durationMs?: number
}

/** The params of the action `drag`. */
export interface DragParams {
  from: {
    matcher?: Matcher
    coordinate?: {
      x: number
      y: number
    }
  }
  to: {
    matcher?: Matcher
    coordinate?: {
      x: number
      y: number
    }
  }
  /** 0 to 10000, default 500. */
  holdMs?: number
  /** 1 to 10000, default 600. */
  durationMs?: number
}

/** The params of the action `pinch`. */
export interface PinchParams {
  matcher?: Matcher
  coordinate?: {
    x: number
    y: number
  }
  scale: number
  /** 50 to 10000, default 400. */
  durationMs?: number
}

/** The params of the action `move_fingers`. */
export interface MoveFingersParams {
  /** At most 2 items. */
  fingers: {
    x: number
    y: number
    /** 0 to 10000. */
    ms: number
  }[][]
}

/** The params of the action `scroll`. */
export interface ScrollParams {
  /** Default 'down'. */
  direction?: 'down' | 'up' | 'left' | 'right'
  container?: Matcher
  /** 0 to 1, default 0.7. */
  distanceRatio?: number
  /** 0 to 10000, default 250. */
  settleDelayMs?: number
  /** Default true. */
  findFirstScrollableChild?: boolean
  retry?: Retry
  scrollRetry?: Retry
  clickRetry?: Retry
}

/** The params of the action `scroll_until`. */
export interface ScrollUntilParams {
  matcher?: Matcher
  /** Default 'down'. */
  direction?: 'down' | 'up' | 'left' | 'right'
  container?: Matcher
  /** 0 to 1, default 0.7. */
  distanceRatio?: number
  /** 0 to 10000, default 250. */
  settleDelayMs?: number
  /** Default true. */
  findFirstScrollableChild?: boolean
  retry?: Retry
  scrollRetry?: Retry
  clickRetry?: Retry
  /** 1 to 200, default 20. */
  maxScrolls?: number
  /** 0 to 120000, default 10000. */
  maxDurationMs?: number
  /** 1 to 20, default 3. */
  noPositionChangeThreshold?: number
  /** Default false. */
  clickAfter?: boolean
  wholeScreen?: boolean
  /** 1 to 10000. */
  swipeDurationMs?: number
  /** 0 to 100. */
  minVisiblePercent?: number
  centerTarget?: boolean
}

/** The params of the action `scroll_and_click`. */
export interface ScrollAndClickParams {
  matcher: Matcher
  /** Default 'down'. */
  direction?: 'down' | 'up' | 'left' | 'right'
  container?: Matcher
  /** 0 to 1, default 0.7. */
  distanceRatio?: number
  /** 0 to 10000, default 250. */
  settleDelayMs?: number
  /** Default true. */
  findFirstScrollableChild?: boolean
  retry?: Retry
  scrollRetry?: Retry
  clickRetry?: Retry
  /** 1 to 50, default 10. */
  maxSwipes?: number
  /** Default true. */
  clickAfter?: boolean
  /** Default 'default'. */
  clickType?: 'default' | 'long_click' | 'focus'
}

/** The params of the action `wait_for_node`. */
export interface WaitForNodeParams {
  matcher: Matcher
  state?: 'visible' | 'gone'
  /** 1 to 120000, default 10000. */
  timeoutMs?: number
  retry?: Retry
  scrollRetry?: Retry
  clickRetry?: Retry
}

/** The params of the action `wait_for_navigation`. */
export interface WaitForNavigationParams {
  expectedPackage?: string
  expectedNode?: Matcher
  /** 1 to 30000. */
  timeoutMs: number
  retry?: Retry
  scrollRetry?: Retry
  clickRetry?: Retry
}

/** The params of the action `wait_for_idle`. */
export interface WaitForIdleParams {
  /** 1 to 120000, default 5000. */
  timeoutMs?: number
}

/** The params of the action `read_text`. */
export interface ReadTextParams {
  matcher: Matcher
  /** Default false. */
  all?: boolean
  container?: Matcher
  orHint?: boolean
  validator?: 'temperature' | 'version' | 'regex'
  validatorPattern?: string
  retry?: Retry
  scrollRetry?: Retry
  clickRetry?: Retry
}

/** The params of the action `read_key_value_pair`. */
export interface ReadKeyValuePairParams {
  labelMatcher: Matcher
  /** Default false. */
  all?: boolean
  retry?: Retry
  scrollRetry?: Retry
  clickRetry?: Retry
}

/** The params of the action `enter_text`. */
export interface EnterTextParams {
  matcher?: Matcher
  /** At most 512 characters. */
  text: string
  /** Default false. */
  append?: boolean
  /** Default false. */
  clear?: boolean
  /** Default false. */
  submit?: boolean
  retry?: Retry
  scrollRetry?: Retry
  clickRetry?: Retry
}

/** The params of the action `erase_text`. */
export interface EraseTextParams {
  /** 1 to 1000, default 50. */
  characters?: number
}

/** The params of the action `press_key`. */
export interface PressKeyParams {
  key: string
  longPress?: boolean
}

/** The params of the action `hide_keyboard`. */
export type HideKeyboardParams = {}

/** The params of the action `expand_shade`. */
export interface ExpandShadeParams {
  shade: 'notifications' | 'quick_settings'
}

/** The params of the action `collapse_shade`. */
export type CollapseShadeParams = {}

/** The params of the action `answer_dialog`. */
export interface AnswerDialogParams {
  /** At most 200 characters. */
  answer: string
}

/** The params of the action `get_clipboard`. */
export type GetClipboardParams = {}

/** The params of the action `set_clipboard`. */
export interface SetClipboardParams {
  /** At most 8000 characters. */
  text: string
}

/** The params of the action `shell`. */
export interface ShellParams {
  command: string
}

/** The params of the action `read_page`. */
export interface ReadPageParams {
  /** At most 255 characters. */
  applicationId?: string
  /** At most 200 characters. */
  page?: string
  /** At most 8 items. */
  frames?: string[]
  read: 'pages' | 'state' | 'source' | 'find' | 'active' | 'frame' | 'text' | 'tag' | 'attribute' | 'property' | 'style' | 'rect' | 'displayed' | 'enabled' | 'selected' | 'field'
  /** At most 64 characters. */
  element?: string
  by?: 'css selector' | 'xpath' | 'link text' | 'partial link text' | 'tag name' | 'class name' | 'id' | 'name'
  /** At most 10000 characters. */
  value?: string
  /** 0 to 1000. */
  index?: number
  /** 1 to 1000. */
  most?: number
}

/** The params of the action `change_page`. */
export interface ChangePageParams {
  /** At most 255 characters. */
  applicationId: string
  /** At most 200 characters. */
  page: string
  /** At most 8 items. */
  frames?: string[]
  change: 'navigate' | 'back' | 'forward' | 'reload' | 'clear' | 'choose'
  /** At most 64 characters. */
  element?: string
  /** At most 100 characters. */
  label?: string
  /** At most 10000 characters. */
  uri?: string
}

/** The params of the action `page_script`. */
export interface PageScriptParams {
  /** At most 255 characters. */
  applicationId: string
  /** At most 200 characters. */
  page: string
  /** At most 8 items. */
  frames?: string[]
  /** At most 90000 characters. */
  script: string
  /** At most 90000 characters, default '[]'. */
  args?: string
  /** Default false. */
  isAsync?: boolean
  /** 0 to 110000, default 30000. */
  timeoutMs?: number
}

/** The params of the action `snapshot`. */
export type SnapshotParams = {}

/** The params of the action `take_screenshot`. */
export interface TakeScreenshotParams {
  path?: string
  matcher?: Matcher
}

/** The params of the action `sleep`. */
export interface SleepParams {
  /** 0 to 120000. */
  durationMs: number
}

/** The params of the action `show_toast`. */
export interface ShowToastParams {
  /** At most 2048 characters. */
  text: string
  /** Default 'short'. */
  duration?: 'short' | 'long'
}

/** The params of the action `cancel_toast`. */
export type CancelToastParams = {}

/** The params of the action `set_on_screen_log`. */
export interface SetOnScreenLogParams {
  /** At most 2048 characters. */
  text?: string
  /** At most 2048 characters. */
  template?: string
  /** Default 'left'. */
  anchor?: 'left' | 'right'
  /** Default 'left'. */
  textAlign?: 'left' | 'right'
  /** 0 to 1000, default 8. */
  topOffsetDp?: number
  /** 0 to 1000, default 8. */
  edgeOffsetDp?: number
  /** 80 to 600, default 280. */
  widthDp?: number
  /** 8 to 24, default 12. */
  fontSizeSp?: number
  /** Default '#FFFFFFFF'. */
  textColor?: string
  /** Default '#B3000000'. */
  backgroundColor?: string
  /** 1000 to 3600000, default 300000. */
  ttlMs?: number
}

/** The params of the action `clear_on_screen_log`. */
export type ClearOnScreenLogParams = {}

/** Each action of an execution as a method, for any type of options and of an answer. */
export interface ActionMethods<Options> {
  /** The action `open_app`. Fails with NAVIGATION_TIMEOUT, APP_NOT_FOUND, ACTIVITY_REFUSED, CLEAR_FAILED, PERMISSION_REFUSED. */
  openApp(params: OpenAppParams, options?: Options): Promise<Answer<Record<'application_id', string> & Partial<Record<'done', string>>>>
  /** The action `open_uri`. Fails with URI_NOT_HANDLED, ACTIVITY_REFUSED. */
  openUri(params: OpenUriParams, options?: Options): Promise<Answer<Record<'uri', string>>>
  /** The action `close_app`. Fails with ACTION_FAILED. */
  closeApp(params: CloseAppParams, options?: Options): Promise<Answer<Record<'application_id', string>>>
  /** The action `install_app`. Fails with FILE_NOT_FOUND, FILE_REFUSED, INSTALL_FAILED. */
  installApp(params: InstallAppParams, options?: Options): Promise<Answer<Record<'application_id' | 'version_name' | 'version_code' | 'replaced', string>>>
  /** The action `uninstall_app`. Fails with APP_NOT_FOUND, UNINSTALL_FAILED. */
  uninstallApp(params: UninstallAppParams, options?: Options): Promise<Answer<Record<'application_id', string>>>
  /** The action `clear_app`. Fails with APP_NOT_FOUND, CLEAR_FAILED. */
  clearApp(params: ClearAppParams, options?: Options): Promise<Answer<Record<'application_id', string>>>
  /** The action `push_file`. Fails with FILE_NOT_FOUND, FILE_EXISTS, FILE_REFUSED. */
  pushFile(params: PushFileParams, options?: Options): Promise<Answer<Record<'path' | 'bytes' | 'sha256' | 'files', string> & Partial<Record<'made_folder', string>>>>
  /** The action `pull_file`. Fails with FILE_NOT_FOUND, FILE_EXISTS, FILE_REFUSED. */
  pullFile(params: PullFileParams, options?: Options): Promise<Answer<Record<'path' | 'bytes' | 'sha256' | 'files', string>>>
  /** The action `remove_file`. Fails with FILE_NOT_FOUND, FILE_EXISTS, FILE_REFUSED. */
  removeFile(params: RemoveFileParams, options?: Options): Promise<Answer<Record<'path', string>>>
  /** The action `add_media`. Fails with FILE_NOT_FOUND, FILE_EXISTS, FILE_REFUSED. */
  addMedia(params: AddMediaParams, options?: Options): Promise<Answer<Record<'paths' | 'bytes' | 'files', string>>>
  /** The action `set_permission`. Fails with APP_NOT_FOUND, PERMISSION_REFUSED. */
  setPermission(params: SetPermissionParams, options?: Options): Promise<Answer<Record<'permission' | 'previous', string>>>
  /** The action `change_setting`. Fails with SETTING_REFUSED. */
  changeSetting(params: ChangeSettingParams, options?: Options): Promise<Answer<Record<'setting' | 'value' | 'previous', string>>>
  /** The action `restore_settings`. Fails with SETTING_REFUSED. */
  restoreSettings(params?: RestoreSettingsParams, options?: Options): Promise<Answer<Record<'restored' | 'left', string>>>
  /** The action `measure_startup`. Fails with APP_NOT_FOUND, ACTION_FAILED. */
  measureStartup(params: MeasureStartupParams, options?: Options): Promise<Answer<Record<'application_id' | 'runs' | 'median_ms', string>>>
  /** The action `click`. Fails with NODE_NOT_FOUND, REF_STALE, NODE_NOT_CLICKABLE, GESTURE_FAILED, PAGE_NOT_FOUND, PAGE_UNREADABLE, PAGE_REFUSED, SNAPSHOT_HIERARCHY_UNAVAILABLE. */
  click(params: ClickParams, options?: Options): Promise<Answer<Record<'click_type', string> & Partial<Record<'covered_by_unknown', string>>>>
  /** The action `double_tap`. Fails with EXECUTION_ACTION_UNSUPPORTED, NODE_NOT_FOUND, REF_STALE, NODE_NOT_CLICKABLE, GESTURE_FAILED, SNAPSHOT_HIERARCHY_UNAVAILABLE. */
  doubleTap(params: DoubleTapParams, options?: Options): Promise<Answer<{} & Partial<Record<'covered_by_unknown', string>>>>
  /** The action `swipe`. Fails with GESTURE_FAILED, REF_STALE. */
  swipe(params: SwipeParams, options?: Options): Promise<Answer<Record<'duration_ms', string>>>
  /** The action `drag`. Fails with NODE_NOT_FOUND, REF_STALE, NODE_NOT_CLICKABLE, GESTURE_FAILED, SNAPSHOT_HIERARCHY_UNAVAILABLE. */
  drag(params: DragParams, options?: Options): Promise<Answer<{} & Partial<Record<'covered_by_unknown', string>>>>
  /** The action `pinch`. Fails with EXECUTION_ACTION_UNSUPPORTED, NODE_NOT_FOUND, REF_STALE, NODE_NOT_CLICKABLE, GESTURE_FAILED, SNAPSHOT_HIERARCHY_UNAVAILABLE. */
  pinch(params: PinchParams, options?: Options): Promise<Answer<Record<'scale', string> & Partial<Record<'covered_by_unknown', string>>>>
  /** The action `move_fingers`. Fails with EXECUTION_ACTION_UNSUPPORTED, GESTURE_FAILED. */
  moveFingers(params: MoveFingersParams, options?: Options): Promise<Answer<Record<'duration_ms', string>>>
  /** The action `scroll`. Fails with CONTAINER_NOT_FOUND, CONTAINER_NOT_SCROLLABLE, GESTURE_FAILED, REF_STALE, SNAPSHOT_HIERARCHY_UNAVAILABLE. */
  scroll(params?: ScrollParams, options?: Options): Promise<Answer<Record<'scroll_outcome' | 'direction', string>>>
  /** The action `scroll_until`. Fails with TARGET_NOT_FOUND, CONTAINER_NOT_FOUND, CONTAINER_NOT_SCROLLABLE, GESTURE_FAILED, REF_STALE, SNAPSHOT_HIERARCHY_UNAVAILABLE. */
  scrollUntil(params?: ScrollUntilParams, options?: Options): Promise<Answer<Record<'termination_reason' | 'scrolls_executed', string> & Partial<Record<'covered_by_unknown', string>>>>
  /** The action `scroll_and_click`. Fails with TARGET_NOT_FOUND, REF_STALE, NODE_NOT_CLICKABLE, SNAPSHOT_HIERARCHY_UNAVAILABLE. */
  scrollAndClick(params: ScrollAndClickParams, options?: Options): Promise<Answer<Record<'scrolls_executed', string> & Partial<Record<'covered_by_unknown', string>>>>
  /** The action `wait_for_node`. Fails with NODE_NOT_FOUND, NODE_STILL_VISIBLE. */
  waitForNode(params: WaitForNodeParams, options?: Options): Promise<Answer<Record<'resource_id' | 'label' | 'elapsed_ms', string>>>
  /** The action `wait_for_navigation`. Fails with NAVIGATION_TIMEOUT. */
  waitForNavigation(params: WaitForNavigationParams, options?: Options): Promise<Answer<Record<'resolved_package' | 'elapsed_ms', string>>>
  /** The action `wait_for_idle`. */
  waitForIdle(params?: WaitForIdleParams, options?: Options): Promise<Answer<Record<'settled', string>>>
  /** The action `read_text`. Fails with NODE_NOT_FOUND, REF_STALE, VALIDATOR_MISMATCH, SNAPSHOT_HIERARCHY_UNAVAILABLE. */
  readText(params: ReadTextParams, options?: Options): Promise<Answer<Record<'text' | 'count', string>>>
  /** The action `read_key_value_pair`. Fails with NODE_NOT_FOUND, REF_STALE, VALUE_NODE_NOT_FOUND, SNAPSHOT_HIERARCHY_UNAVAILABLE. */
  readKeyValuePair(params: ReadKeyValuePairParams, options?: Options): Promise<Answer<Record<'label' | 'value', string>>>
  /** The action `enter_text`. Fails with NODE_NOT_FOUND, REF_STALE, ACTION_FAILED, PAGE_NOT_FOUND, PAGE_UNREADABLE, PAGE_REFUSED, SNAPSHOT_HIERARCHY_UNAVAILABLE. */
  enterText(params: EnterTextParams, options?: Options): Promise<Answer<Record<'text' | 'submit' | 'text_length', string> & Partial<Record<'covered_by_unknown', string>>>>
  /** The action `erase_text`. Fails with ACTION_FAILED. */
  eraseText(params?: EraseTextParams, options?: Options): Promise<Answer<Record<'characters', string>>>
  /** The action `press_key`. Fails with GLOBAL_ACTION_FAILED. */
  pressKey(params: PressKeyParams, options?: Options): Promise<Answer<Record<'key', string>>>
  /** The action `hide_keyboard`. Fails with GLOBAL_ACTION_FAILED. */
  hideKeyboard(params?: HideKeyboardParams, options?: Options): Promise<Answer<{}>>
  /** The action `expand_shade`. Fails with GLOBAL_ACTION_FAILED. */
  expandShade(params: ExpandShadeParams, options?: Options): Promise<Answer<{}>>
  /** The action `collapse_shade`. Fails with GLOBAL_ACTION_FAILED. */
  collapseShade(params?: CollapseShadeParams, options?: Options): Promise<Answer<{}>>
  /** The action `answer_dialog`. Fails with DIALOG_NOT_FOUND, GESTURE_FAILED, SNAPSHOT_HIERARCHY_UNAVAILABLE. */
  answerDialog(params: AnswerDialogParams, options?: Options): Promise<Answer<Record<'button' | 'title', string>>>
  /** The action `get_clipboard`. Fails with CLIPBOARD_UNAVAILABLE. */
  getClipboard(params?: GetClipboardParams, options?: Options): Promise<Answer<Record<'text', string>>>
  /** The action `set_clipboard`. Fails with CLIPBOARD_UNAVAILABLE. */
  setClipboard(params: SetClipboardParams, options?: Options): Promise<Answer<Record<'text', string>>>
  /** The action `shell`. Fails with ACTION_FAILED. */
  shell(params: ShellParams, options?: Options): Promise<Answer<Record<'stdout' | 'stderr' | 'exit_code', string> & Partial<Record<'truncated' | 'stdout_bytes' | 'stderr_bytes', string>>>>
  /** The action `read_page`. Fails with PAGE_NOT_FOUND, PAGE_UNREADABLE, PAGE_REFUSED, REF_STALE. */
  readPage(params: ReadPageParams, options?: Options): Promise<Answer<Record<'answer', string>>>
  /** The action `change_page`. Fails with PAGE_NOT_FOUND, PAGE_UNREADABLE, PAGE_REFUSED, REF_STALE, NAVIGATION_TIMEOUT. */
  changePage(params: ChangePageParams, options?: Options): Promise<Answer<Record<'change', string>>>
  /** The action `page_script`. Fails with PAGE_NOT_FOUND, PAGE_UNREADABLE, PAGE_REFUSED, PAGE_SCRIPT_FAILED, REF_STALE. */
  pageScript(params: PageScriptParams, options?: Options): Promise<Answer<Record<'value', string>>>
  /** The action `snapshot`. Fails with SNAPSHOT_HIERARCHY_UNAVAILABLE. */
  snapshot(params?: SnapshotParams, options?: Options): Promise<Answer<Record<'text' | 'foreground_package', string>>>
  /** The action `take_screenshot`. Fails with EVIDENCE_CAPTURE_FAILED, NODE_NOT_FOUND, REF_STALE, PAGE_NOT_FOUND, PAGE_UNREADABLE, PAGE_REFUSED, SNAPSHOT_HIERARCHY_UNAVAILABLE. */
  takeScreenshot(params?: TakeScreenshotParams, options?: Options): Promise<Answer<Record<'path', string>>>
  /** The action `sleep`. */
  sleep(params: SleepParams, options?: Options): Promise<Answer<Record<'duration_ms', string>>>
  /** The action `show_toast`. Fails with SERVICE_UNAVAILABLE. */
  showToast(params: ShowToastParams, options?: Options): Promise<Answer<Record<'submitted' | 'duration', string>>>
  /** The action `cancel_toast`. */
  cancelToast(params?: CancelToastParams, options?: Options): Promise<Answer<Record<'submitted', string>>>
  /** The action `set_on_screen_log`. Fails with ON_SCREEN_LOG_UNAVAILABLE, ON_SCREEN_LOG_RENDER_FAILED, ON_SCREEN_LOG_TEMPLATE_FAILED. */
  setOnScreenLog(params: SetOnScreenLogParams, options?: Options): Promise<Answer<Record<'visible' | 'rendered' | 'truncated', string>>>
  /** The action `clear_on_screen_log`. */
  clearOnScreenLog(params?: ClearOnScreenLogParams, options?: Options): Promise<Answer<Record<'visible', string>>>
}

export interface ActorHistoryResponse {
  ok: true
  events: HistoryEvent[]
  next?: number
}

export interface ActorRecordsResponse {
  ok: true
  records: {
    seq: number
    actor: string
    n: number
    machine: string
    version: number
    at: number
    event: {
      type: string
    } & { [key: string]: unknown }
    digest: string | null
    from: string
    to: string
    tags: string[]
    outcome?: {
      listener: string
      executionId?: string | undefined
    } | undefined
  }[]
  start?: {
    n: number
    seq: number
    version: number
    snapshot: unknown
  }
  next?: number
}

export interface ActorResponse {
  ok: true
  actor: ActorSummary
}

export interface ActorSummary {
  id: string
  machine: string
  state: string
  tags: string[]
  updatedAt: number
  deviceId?: string
  sessionId?: string
  note?: string
  keptBy?: string
}

export interface ActorsResponse {
  ok: true
  actors: ActorSummary[]
}

export interface AppInfo {
  applicationId: string
  kind: 'user' | 'system'
  versionCode?: number
  versionName?: string
  minSdk?: number
  targetSdk?: number
  uid?: number
  debuggable: boolean
  enabled: boolean
  installer?: string
  splits?: string[]
  lastUpdated?: string
  permissions: {
    permission: string
    granted: boolean
    state?: 'allow' | 'deny' | 'unset'
    fixed?: boolean
  }[]
}

export interface AppResponse {
  ok: true
  app: AppInfo
}

export interface AppsQuery {
  kind?: 'user' | 'system'
}

export interface AppsResponse {
  ok: true
  apps: ListedApp[]
  count: number
}

export interface AvdCreateRequestInput {
  /** At most 128 characters. */
  name?: string
  /** 1 to 10000, default 35. */
  apiLevel?: number
  abi?: string
  /** Default 'pixel_7'. */
  deviceProfile?: string
  /** Default true. */
  playStore?: boolean
  storageSize?: string
  size?: string
  diskSize?: string
  dataPartitionSize?: string
}

export interface AvdDeleteResponse {
  ok: true
  avdName: string
  deleted: true
}

export interface AvdResponse {
  ok: true
  name: string
  exists: boolean
  running: boolean
  apiLevel: number | null
  abi: string | null
  playStore: boolean | null
  deviceProfile: string | null
  systemImage: string | null
  supported: boolean
  unsupportedReasons: ('missing_play_store' | 'unsupported_api_level' | 'unsupported_abi' | 'unsupported_device_profile')[]
  note?: string
}

export interface AvdStartResponse {
  ok: true
  type: 'emulator'
  avdName: string
  serial: string
  booted: boolean
}

export interface AvdStopResponse {
  ok: true
  avdName: string
  stopped: true
}

export interface AvdsResponse {
  ok: true
  avds: ConfiguredAvd[]
  note?: string
}

export interface BroughtPiece {
  ok: true
  kind: 'file' | 'folder'
  /** 0 to 4294967296. */
  total: number
  digest: string
  data: string
}

export interface BroughtQuery {
  offset: number
}

export interface BuildIdentity {
  entryPath: string | null
  mtimeMs: number | null
  size: number | null
}

export interface Checkpoint {
  id: string
  status: 'ok' | 'failed' | 'skipped'
  observedAt?: string | null
  evidence?: ResultValue | null
  note?: string | null
}

export interface ConfiguredAvd {
  name: string
  exists: boolean
  running: boolean
  apiLevel: number | null
  abi: string | null
  playStore: boolean | null
  deviceProfile: string | null
  systemImage: string | null
  supported: boolean
  unsupportedReasons: ('missing_play_store' | 'unsupported_api_level' | 'unsupported_abi' | 'unsupported_device_profile')[]
}

export interface DeviceInfo {
  serial: string
  deviceId: string
  host?: string
  model?: string
  manufacturer?: string
  androidVersion?: string
  apiLevel?: number
  build?: string
  securityPatch?: string
  abi?: string
  display?: {
    width: number
    height: number
    density?: number
  }
  battery?: {
    percent: number
    status?: string
  }
  frontApp?: string
  frontActivity?: string
  keyboardShown?: boolean
  orientation?: 'portrait' | 'landscape'
  awake?: boolean
  locked?: boolean
  time?: string
  users?: {
    id: number
    name?: string
    running: boolean
    current: boolean
  }[]
}

export interface DeviceResponse {
  ok: true
  device: DeviceInfo
}

export interface DeviceScreenResponse {
  ok: true
  snapshot?: {
    executionId: string
    step: string
    at: number
    xml: string
  }
  picture?: {
    executionId: string
    step: string
    at: number
    url: string
  }
}

export interface DevicesQuery {
  phones?: 'true'
}

export interface DevicesResponse {
  ok: true
  devices: ListedDevice[]
  unanswered?: {
    host: string
    code: string
  }[]
}

export interface ElementIdentity {
  /** At most 512 characters. */
  className: string
  /** At most 512 characters. */
  resourceId: string
  /** At most 512 characters. */
  packageName: string
  /** At most 512 characters. */
  contentDesc: string
  /** At most 512 characters. */
  text: string
  /** At most 512 characters. */
  hint?: string
  around: string
  toldBy: 'looks' | 'hint' | 'row' | 'label' | 'place'
  row?: {
    isOfList: boolean
    title?: string
    names: string
    /** At most 32 items. */
    words: string[]
    path: string
    others: string
  }
  label?: string
  context: {
    /** At most 32 items. */
    heading: string[]
    /** At most 32 items. */
    before: string[]
    /** At most 32 items. */
    within: string[]
    /** At most 32 items. */
    after: string[]
  }
  place: {
    nth: number
    of: number
    nthAlike: number
    alike: number
    layout: string
    offset?: {
      x: number
      y: number
    }
  }
  screen: {
    isDialog: boolean
    /** At most 32 items. */
    fixed: string[]
    /** At most 32 items. */
    scrolled: string[]
  }
}

export interface EnvelopeError {
  code: string
  message: string
  details?: { [key: string]: unknown }
  hint?: string
}

export interface ErrorObject {
  code: string
  message: string
  details?: { [key: string]: unknown }
  hint?: string
  retriable?: boolean
}

export interface ExecuteRequestInput {
  execution: ExecutionInput
  deviceId?: string
  operatorPackage?: string
  format?: 'xml' | 'compact'
  /** At most 128 characters. */
  since?: string
  observe?: boolean
  /** 0 to 120000. */
  waitMs?: number
}

export interface ExecutionInput {
  /** At most 128 characters. */
  commandId: string
  /** At most 128 characters. */
  taskId: string
  /** At most 64 characters. */
  source: string
  expectedFormat: 'android-ui-automator'
  /** 1000 to 120000. */
  timeoutMs: number
  /** At most 50 items. */
  actions: ActionInput[]
  mode?: 'direct' | 'artifact_compiled'
}

export interface ExecutionSuccess {
  ok: true
  deviceId: string
  terminalSource: 'svc_result'
  operatorPackage?: string
  envelope: ResultEnvelope
  observed?: {
    screen?: number
    text: string
  }
}

export interface ExecutionSummariesQueryInput {
  deviceId?: string
  skillRunId?: string
  state?: 'waiting' | 'accepted' | 'dispatched' | 'settled' | 'interrupted'
  code?: string
  operatorPackage?: string
  /** Default 50. */
  limit?: number
}

export interface ExecutionSummariesResponse {
  ok: true
  executions: ExecutionSummary[]
  count: number
  searched: number
  older: boolean
}

export interface ExecutionSummary {
  executionId: string
  commandId: string
  taskId: string
  deviceId: string
  title?: string
  inDoubt?: true
  resumes?: string
  operatorPackage?: string
  skillRunId?: string
  state: 'waiting' | 'accepted' | 'dispatched' | 'settled' | 'interrupted'
  acceptedAt: number
  dispatchedAt?: number
  settledAt?: number
  code?: string
  message?: string
  steps: string[]
}

export interface ExecutionsQueryInput {
  deviceId?: string
  commandId?: string
  taskId?: string
  skillRunId?: string
  /** 1 to 1000, default 50. */
  limit?: number
}

export interface FilesQuery {
  path: string
  applicationId?: string
}

export interface FilesResponse {
  ok: true
  files: ListedFile[]
  count: number
}

export interface FleetHostResponse {
  ok: true
  host: string
  state: string
}

export interface FleetHostStatus {
  host: string
  state: 'serving' | 'draining' | 'drained' | 'joining' | 'cut' | 'gone'
  version: string
  protocol: number
  pid: number
  startedAt: number
  labels: { [key: string]: string }
  devices: number
  ready: number
  busy: number
  lag?: number
  lastContactMs?: number
}

export interface FleetStatusResponse {
  ok: true
  fleet: string
  host: string
  connected: boolean
  server?: string
  hosts: FleetHostStatus[]
}

export interface FlowSelector {
  text?: string
  id?: string
  /** At most 10000 characters. */
  css?: string
  width?: number
  height?: number
  tolerance?: number
  enabled?: boolean
  selected?: boolean
  checked?: boolean
  focused?: boolean
  traits?: ('text' | 'square' | 'long-text')[]
  index?: number
  below?: FlowSelector
  above?: FlowSelector
  leftOf?: FlowSelector
  rightOf?: FlowSelector
  childOf?: FlowSelector
  containsChild?: FlowSelector
  containsDescendants?: FlowSelector[]
  webElements?: boolean
}

export interface Forward {
  deviceId: string
  local: string
  remote: string
  heldBy: 'adb-server' | {
    pid: number
  }
}

export interface ForwardBody {
  local: string
  remote: string
  replace?: boolean
}

export interface ForwardResponse {
  ok: true
  forward: Forward
}

export interface ForwardsResponse {
  ok: true
  forwards: Forward[]
  count: number
}

export interface Frames {
  applicationId: string
  running: boolean
  total: number | null
  janky: number | null
  p50: number | null
  p90: number | null
  p95: number | null
  p99: number | null
}

export interface FramesResponse {
  ok: true
  frames: Frames
}

export interface GapData {
  reason: 'records-missing' | 'records-unreadable' | 'journal-replaced' | 'log-expired'
  host?: string
  from?: number
  to?: number
}

export interface HealthResponse {
  ok: true
  troubles: {
    what: string
    message: string
    times: number
    firstAt: number
    lastAt: number
  }[]
}

export interface HistoryEvent {
  seq: number
  at: number
  type: string
  event: {
    type: string
  } & { [key: string]: unknown }
}

export interface HistoryQueryInput {
  after?: number
  /** 1 to 1000, default 1000. */
  limit?: number
}

export interface HttpFailure {
  ok: false
  error: ErrorObject
}

export interface Lease {
  leaseId: string
  deviceId: string
  host?: string
  phone?: string
  since: number
  expiresAt: number
  sessionId?: string
  flowRunId?: string
  note?: string
  keptBy?: {
    user: string
    machine: string
    pid: number
  }
}

export interface LeaseBody {
  device: string
  /** 1000 to 86400000. */
  forMs: number
  /** 0 to 600000. */
  waitMs?: number
  /** At most 200 characters. */
  note?: string
  sessionId?: string
  flowRunId?: string
}

export interface LeaseExtension {
  /** 1000 to 86400000. */
  forMs: number
}

export interface LeaseResponse {
  ok: true
  lease: Lease
}

export interface LeasesResponse {
  ok: true
  leases: Lease[]
  count: number
  unanswered?: {
    host: string
    code: string
  }[]
}

export interface ListedApp {
  applicationId: string
  kind: 'user' | 'system'
  versionCode?: number
}

export interface ListedDevice {
  serial: string
  state: string
  deviceId: string
  phone?: string
  host?: string
  labels?: { [key: string]: string }
  draining?: true
  lease?: {
    leaseId: string
    phone?: string
    since: number
    expiresAt: number
    sessionId?: string
    flowRunId?: string
    note?: string
    keptBy?: {
      user: string
      machine: string
      pid: number
    }
  }
}

export interface ListedFile {
  name: string
  kind: 'file' | 'folder' | 'link' | 'fifo' | 'socket' | 'device'
  bytes?: number
  mode: string
  modifiedAt: number
}

export interface LogGap {
  from: string
  to: string
}

export interface LogLine {
  time: string
  pid: number
  tid: number
  uid?: number
  level: 'verbose' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'
  tag: string
  message: string
  applicationId?: string
}

export interface LogLinesQuery {
  app?: string
  level?: string
  since?: string
  /** 1 to 10000. */
  limit?: number
  take?: 'first' | 'last'
  after?: string
  /** 0 to 20000. */
  waitMs?: number
}

export interface LogLinesResponse {
  ok: true
  lines: PlacedLogLine[]
  count: number
  more: boolean
  position: string
  gap?: LogGap
}

export interface LogsQuery {
  app?: string
  level?: string
  since?: string
}

export interface LookBody {
  deviceId?: string
  operatorPackage?: string
}

export interface Matcher {
  /** At most 512 characters. */
  resourceId?: string
  /** At most 512 characters. */
  role?: string
  /** At most 512 characters. */
  textEquals?: string
  /** At most 512 characters. */
  textContains?: string
  textMatches?: string
  /** At most 512 characters. */
  contentDescEquals?: string
  /** At most 512 characters. */
  contentDescContains?: string
  enabled?: boolean
  checked?: boolean
  selected?: boolean
  focused?: boolean
  below?: RelatedMatcher
  above?: RelatedMatcher
  leftOf?: RelatedMatcher
  rightOf?: RelatedMatcher
  childOf?: RelatedMatcher
  containsChild?: RelatedMatcher
  /** -9999 to 9999. */
  index?: number
  ref?: string
  flow?: FlowSelector
  element?: ElementIdentity
  pageElement?: {
    /** At most 255 characters. */
    applicationId: string
    /** At most 200 characters. */
    page: string
    /** At most 8 items. */
    frames?: string[]
    /** At most 64 characters. */
    element: string
    /** At most 100 characters. */
    label?: string
  }
}

export interface Memory {
  applicationId: string
  running: boolean
  totalPss: number | null
  java: number | null
  native: number | null
  graphics: number | null
}

export interface MemoryResponse {
  ok: true
  memory: Memory
}

export interface Notification {
  applicationId: string
  id: number
  tag?: string
  key: string
  user?: number
  title?: string
  text?: string
  bigText?: string
  subText?: string
  channel?: string
  category?: string
  importance?: number
  ongoing: boolean
  at?: number
}

export interface NotificationsResponse {
  ok: true
  notifications: Notification[]
  count: number
}

export interface ParcelPiece {
  deviceId?: string
  /** 0 to 4294967296. */
  total: number
  /** 0 to 4294967296. */
  offset: number
  /** At most 147456 characters. */
  data: string
}

export interface ParcelReceived {
  ok: true
  /** 0 to 4294967296. */
  received: number
  whole: boolean
}

export interface PictureQuery {
  position?: number
}

export interface PingResponse {
  ok: true
}

export interface PlacedLogLine {
  time: string
  pid: number
  tid: number
  uid?: number
  level: 'verbose' | 'debug' | 'info' | 'warn' | 'error' | 'fatal'
  tag: string
  message: string
  applicationId?: string
  position: string
}

export interface ProvisionRequest {
  abi?: string
  wipe?: boolean
  window?: boolean
  storageSize?: string
  size?: string
  diskSize?: string
  dataPartitionSize?: string
}

export interface ProvisionResponse {
  ok: true
  type: 'emulator'
  avdName: string
  serial: string
  booted: boolean
  created: boolean
  started: boolean
  reused: boolean
  note?: string
}

export interface Receipt {
  executionId: string
  commandId: string
  taskId: string
  deviceId: string
  operatorPackage?: string
  host?: string
  state: 'waiting' | 'accepted' | 'dispatched' | 'settled' | 'interrupted'
  skillRunId?: string
  resumes?: string
  accepted?: false
  acceptedAt: number
  place?: number
  waitedMs?: number
  dispatchedAt?: number
  settledAt?: number
  result?: ExecutionResult
  actions?: {
    id: string
    type: string
    title?: string
  }[]
  executedSteps?: string[]
  doubtfulSteps?: string[]
}

export interface ReceiptResponse {
  ok: true
  execution: Receipt
}

export interface ReceiptsResponse {
  ok: true
  executions: Receipt[]
  count: number
  unanswered?: {
    host: string
    code: string
  }[]
}

export interface RecordBodyResponse {
  ok: true
  body: unknown
}

export interface RecordedPart {
  recordingId: string
  segment: number
  fromMs: number
  toMs: number
  playable: boolean
}

export interface Recording {
  recordingId: string
  deviceId: string
  hardwareSerial: string
  state: 'recording' | 'stopping' | 'saved' | 'failed'
  startedAt: number
  endedAt?: number
  reason?: 'stopped' | 'time' | 'host_ended' | 'host_died' | 'failed'
  error?: {
    code: string
    message: string
  }
  bytes: number
  folder: string
  segments: RecordingSegment[]
}

export interface RecordingRequestInput {
  /** 1000 to 14400000, default 14400000. */
  forMs?: number
  /** 100000 to 100000000. */
  bitRate?: number
  size?: string
}

export interface RecordingResponse {
  ok: true
  recording: Recording
}

export interface RecordingSegment {
  segment: number
  file?: string
  startedAt: number
  endedAt?: number
  bytes?: number
  sha256?: string
  rotation?: number
  playable?: boolean
  endedBy?: 'time_limit' | 'rotated' | 'link_lost' | 'stopped' | 'ended_itself' | 'host_died'
  problem?: string
}

export interface RecordingStatusResponse {
  ok: true
  recording: Recording | null
}

export interface RelatedMatcher {
  /** At most 512 characters. */
  resourceId?: string
  /** At most 512 characters. */
  role?: string
  /** At most 512 characters. */
  textEquals?: string
  /** At most 512 characters. */
  textContains?: string
  textMatches?: string
  /** At most 512 characters. */
  contentDescEquals?: string
  /** At most 512 characters. */
  contentDescContains?: string
  enabled?: boolean
  checked?: boolean
  selected?: boolean
  focused?: boolean
  /** -9999 to 9999. */
  index?: number
}

export interface ResultEnvelope {
  commandId: string
  taskId: string
  status: 'success' | 'failed'
  stepResults: StepResult[]
  error: EnvelopeError | null
  errorCode?: string
}

export interface ResumeBody {
  deviceId?: string
  operatorPackage?: string
  /** At most 128 characters. */
  fromStep?: string
  /** 1000 to 120000. */
  timeoutMs?: number
  /** 0 to 120000. */
  waitMs?: number
}

export interface Retry {
  /** 1 to 10. */
  maxAttempts?: number
  /** 0 to 30000. */
  initialDelayMs?: number
  /** 0 to 60000. */
  maxDelayMs?: number
  /** 1 to 5. */
  backoffMultiplier?: number
  /** 0 to 1. */
  jitterRatio?: number
}

export interface ReverseBody {
  local: string
  remote: string
  replace?: boolean
}

export interface ReverseResponse {
  ok: true
  reverse: Forward
}

export interface ReversesResponse {
  ok: true
  reverses: Forward[]
  count: number
}

export interface RunningEmulator {
  type: 'emulator'
  avdName: string
  serial: string
  booted: boolean
  supported: boolean
  unsupportedReasons: ('missing_play_store' | 'unsupported_api_level' | 'unsupported_abi' | 'unsupported_device_profile')[]
}

export interface RunningEmulatorsResponse {
  ok: true
  devices: RunningEmulator[]
  note?: string
}

export interface ScreenshotBody {
  deviceId?: string
  operatorPackage?: string
  path?: string
  /** 0 to 120000. */
  waitMs?: number
}

export interface SettingsResponse {
  ok: true
  settings: { [key: string]: boolean | number | string | {
    /** -90 to 90. */
    latitude: number
    /** -180 to 180. */
    longitude: number
  } | {
    /** 0 to 100. */
    level: number
    plugged?: 'none' | 'ac' | 'usb' | 'wireless'
  } | null }
}

export interface SkillResponse {
  ok: true
  skill: RegistryEntry
}

export interface SkillResult {
  contractVersion: string
  skillId: string
  goal?: { [key: string]: unknown } | null
  inputs?: { [key: string]: unknown } | null
  result: ResultValue | null
  status: 'success' | 'failed' | 'indeterminate'
  checkpoints: Checkpoint[]
  terminalVerification?: {
    status: 'verified' | 'failed' | 'not_run'
    expected?: ResultValue | null
    observed?: ResultValue | null
    note?: string | null
  } | null
  diagnostics?: {
    runtimeState?: 'healthy' | 'poisoned' | 'unavailable' | 'unknown' | null
    warnings?: string[] | null
    hints?: string[] | null
  } & { [key: string]: unknown } | null
  execEnvelopes?: unknown[] | null
  source: SkillSource
}

export interface SkillRunBody {
  deviceId?: string
  args?: unknown[]
  timeoutMs?: number
  expectContains?: string
}

export interface SkillsQuery {
  app?: string
  intent?: string
  keyword?: string
}

export interface SkillsResponse {
  ok: true
  skills: RegistryEntry[]
  count: number
}

export interface SnapshotBody {
  deviceId?: string
  operatorPackage?: string
  format?: 'xml' | 'compact'
  /** At most 128 characters. */
  since?: string
  /** 0 to 120000. */
  waitMs?: number
}

export interface StartRequest {
  wipe?: boolean
  window?: boolean
}

export interface StepProgress {
  what: string
  done: number
  total: number
}

export interface StepResult {
  id: string
  actionType: string
  success: boolean
  data: { [key: string]: string }
}

export interface TestRunBegun {
  ok: true
  testRunId: string
}

export interface TestRunRequest {
  /** At most 1000 items. */
  paths?: string[]
  /** At most 1048576 characters. */
  yaml?: string
  env?: { [key: string]: string }
  /** At most 1000 items. */
  secrets?: string[]
  /** At most 1000 items. */
  includeTags?: string[]
  /** At most 1000 items. */
  excludeTags?: string[]
  /** At most 1000 items. */
  devices?: string[]
  /** 0 to 10. */
  retries?: number
  shardAll?: boolean
  failFast?: boolean
}

export interface TestRunResponse {
  ok: true
  testRun: {
    testRunId: string
    state: 'planning' | 'running' | 'interrupted' | 'ended'
    verdict: 'passed' | 'failed' | 'indeterminate' | 'skipped' | 'cancelled' | null
    startedAt: number
    endedAt?: number
    folder: string
    host?: string
    flows: {
      flow: string
      name: string
      tags: string[]
      properties: { [key: string]: string }
      deviceId?: string
      verdict: 'passed' | 'failed' | 'indeterminate' | 'skipped' | 'cancelled' | null
      reason?: string
      attempts: {
        flowRunId: string
        attempt: number
        deviceId: string
        verdict: 'passed' | 'failed' | 'indeterminate' | 'skipped' | 'cancelled' | null
        startedAt: number
        endedAt?: number
        error?: {
          code: string
          message: string
          hint?: string
          details?: { [key: string]: unknown }
          file?: string
          line?: number
          command?: string
        }
        failureExecutionId?: string
        files?: string[]
        warnings?: {
          message: string
          file: string
          line: number
        }[]
        log?: {
          text: string
          file: string
          line: number
        }[]
        commands?: {
          index: number
          depth: number
          name: string
          text: string
          file: string
          line: number
          verdict: 'passed' | 'failed' | 'indeterminate' | 'skipped' | 'ignored' | 'running'
          startedAt: number
          endedAt?: number
          executionIds: string[]
          error?: {
            code: string
            message: string
            hint?: string
            details?: { [key: string]: unknown }
            file?: string
            line?: number
            command?: string
          }
          files?: string[]
        }[]
      }[]
    }[]
    error?: {
      code: string
      message: string
      hint?: string
      details?: { [key: string]: unknown }
      file?: string
      line?: number
      command?: string
    }
  }
}

export interface TestRunsResponse {
  ok: true
  testRuns: {
    testRunId: string
    state: 'planning' | 'running' | 'interrupted' | 'ended'
    verdict: 'passed' | 'failed' | 'indeterminate' | 'skipped' | 'cancelled' | null
    startedAt: number
    endedAt?: number
    folder: string
    host?: string
    flows: {
      flow: string
      name: string
      tags: string[]
      properties: { [key: string]: string }
      deviceId?: string
      verdict: 'passed' | 'failed' | 'indeterminate' | 'skipped' | 'cancelled' | null
      reason?: string
      attempts: {
        flowRunId: string
        attempt: number
        deviceId: string
        verdict: 'passed' | 'failed' | 'indeterminate' | 'skipped' | 'cancelled' | null
        startedAt: number
        endedAt?: number
        error?: {
          code: string
          message: string
          hint?: string
          details?: { [key: string]: unknown }
          file?: string
          line?: number
          command?: string
        }
        failureExecutionId?: string
        files?: string[]
        warnings?: {
          message: string
          file: string
          line: number
        }[]
        log?: {
          text: string
          file: string
          line: number
        }[]
        commands?: {
          index: number
          depth: number
          name: string
          text: string
          file: string
          line: number
          verdict: 'passed' | 'failed' | 'indeterminate' | 'skipped' | 'ignored' | 'running'
          startedAt: number
          endedAt?: number
          executionIds: string[]
          error?: {
            code: string
            message: string
            hint?: string
            details?: { [key: string]: unknown }
            file?: string
            line?: number
            command?: string
          }
          files?: string[]
        }[]
      }[]
    }[]
    error?: {
      code: string
      message: string
      hint?: string
      details?: { [key: string]: unknown }
      file?: string
      line?: number
      command?: string
    }
  }[]
}

export interface TraceResponse {
  ok: true
  trace: {
    kind: 'execution' | 'skill-run'
    id: string
    actor: string
    machine: string
    records: {
      seq: number
      actor: string
      n: number
      machine: string
      version: number
      at: number
      event: {
        type: string
      } & { [key: string]: unknown }
      digest: string | null
      from: string
      to: string
      tags: string[]
      outcome?: {
        listener: string
        executionId?: string | undefined
      } | undefined
    }[]
    start?: {
      n: number
      seq: number
      version: number
      snapshot: unknown
    }
    executions: {
      executionId: string
      commandId: string
      taskId: string
      deviceId: string
      title?: string
      inDoubt?: true
      resumes?: string
      operatorPackage?: string
      skillRunId?: string
      state: 'waiting' | 'accepted' | 'dispatched' | 'settled' | 'interrupted'
      acceptedAt: number
      dispatchedAt?: number
      settledAt?: number
      code?: string
      message?: string
      steps: string[]
      before?: {
        xml?: string
        picture?: string
        lines?: string
        executionId: string
        at: number
        step?: {
          id: string
          position: number
        }
      }
      after?: {
        xml?: string
        picture?: string
        lines?: string
        executionId: string
        at: number
        step?: {
          id: string
          position: number
        }
      }
      timeoutMs?: number
      error?: {
        code: string
        message: string
        hint?: string
        details?: { [key: string]: unknown }
      }
      timeline: {
        id: string
        type: string
        params?: unknown
        state: 'succeeded' | 'failed' | 'not-run' | 'unknown'
        data: { [key: string]: string }
        error?: {
          code: string
          message: string
          hint?: string
          details?: { [key: string]: unknown }
        }
        segment?: number
        startedAt?: number
        endedAt?: number
        durationMs?: number
        screen?: {
          xml?: string
          picture?: string
        }
      }[]
      recorded?: RecordedPart[]
    }[]
    omitted?: string[]
    run?: {
      runId: string
      skillId: string
      deviceId?: string
      argv: string[]
      state: string
      code?: string
      message?: string
      startedAt: number
      endedAt?: number
      exitCode?: number | null
      stdout?: string
      stderr?: string
      skillResult?: unknown
      recorded?: RecordedPart[]
    }
  }
}

export interface TransitionRecord {
  seq: number
  actor: string
  machine: string
  event: string
  from: string
  to: string
  at: number
  progress?: StepProgress
  host?: string
}

export interface VersionResponse {
  version: string
  buildIdentity: BuildIdentity
  journal?: string
}

export interface ViewedActorsResponse {
  ok: true
  head: number
  home?: string
  actors: {
    id: string
    machine: string
    state: string
    tags: string[]
    updatedAt: number
    seq: number
    since: number
    work: {
      executionId?: string
      commandId?: string
      skillRunId?: string
      skillId?: string
      deviceId?: string
      sessionId?: string
      note?: string
      keptBy?: string
      title?: string
    }
  }[]
  older: boolean
}

export type ActionInput = {
  /** At most 128 characters. */
  id: string
  type: 'open_app'
  params: {
    applicationId: string
    /** Default false. */
    skipNavigationWait?: boolean
    /** 1000 to 120000, default 15000. */
    navigationTimeoutMs?: number
    /** At most 255 characters. */
    activity?: string
    arguments?: { [key: string]: string | boolean | number }
    clearState?: boolean
    stopFirst?: boolean
    permissions?: { [key: string]: 'allow' | 'deny' | 'unset' }
    ifRequested?: boolean
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'open_uri'
  params: {
    /** At most 2048 characters. */
    uri: string
    browser?: boolean
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'close_app'
  params: {
    applicationId: string
    background?: boolean
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'install_app'
  params: {
    /** At most 50 items. */
    paths: string[]
    /** Default false. */
    grantPermissions?: boolean
    /** Default false. */
    downgrade?: boolean
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'uninstall_app'
  params: {
    applicationId: string
    /** Default false. */
    keepData?: boolean
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'clear_app'
  params: {
    applicationId: string
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'push_file'
  params: {
    from: string
    /** At most 900 characters. */
    to: string
    applicationId?: string
    /** Default true. */
    overwrite?: boolean
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'pull_file'
  params: {
    /** At most 900 characters. */
    from: string
    to: string
    applicationId?: string
    /** Default false. */
    overwrite?: boolean
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'remove_file'
  params: {
    /** At most 900 characters. */
    path: string
    applicationId?: string
    /** Default false. */
    recursive?: boolean
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'add_media'
  params: {
    /** At most 50 items. */
    paths: string[]
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'set_permission'
  params: {
    applicationId: string
    permission: string
    state: 'allow' | 'deny' | 'unset'
    ifRequested?: boolean
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'change_setting'
  params: {
    setting: 'orientation' | 'dark_mode' | 'animations' | 'wifi' | 'mobile_data' | 'airplane_mode' | 'stay_awake' | 'font_scale' | 'brightness' | 'locale' | 'location' | 'battery'
    value: boolean | number | string | {
      /** -90 to 90. */
      latitude: number
      /** -180 to 180. */
      longitude: number
    } | {
      /** 0 to 100. */
      level: number
      plugged?: 'none' | 'ac' | 'usb' | 'wireless'
    }
    applicationId?: string
    /** Default false. */
    force?: boolean
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'restore_settings'
  params?: {
    settings?: ('orientation' | 'dark_mode' | 'animations' | 'wifi' | 'mobile_data' | 'airplane_mode' | 'stay_awake' | 'font_scale' | 'brightness' | 'locale' | 'location' | 'battery')[]
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'measure_startup'
  params: {
    applicationId: string
    /** 1 to 20, default 5. */
    runs?: number
    /** Default true. */
    stopFirst?: boolean
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'click'
  params: {
    matcher?: Matcher
    coordinate?: {
      x: number
      y: number
    }
    point?: {
      /** 0 to 100. */
      x: number
      /** 0 to 100. */
      y: number
      unit: 'percent'
    } | {
      x: number
      y: number
      unit: 'pixel'
    }
    /** Default 'default'. */
    clickType?: 'default' | 'long_click' | 'focus'
    /** 1 to 10000. */
    holdMs?: number
    /** 1 to 100. */
    repeat?: number
    /** 0 to 10000. */
    repeatDelayMs?: number
    retry?: Retry
    scrollRetry?: Retry
    clickRetry?: Retry
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'double_tap'
  params: {
    matcher?: Matcher
    coordinate?: {
      x: number
      y: number
    }
    point?: {
      /** 0 to 100. */
      x: number
      /** 0 to 100. */
      y: number
      unit: 'percent'
    } | {
      x: number
      y: number
      unit: 'pixel'
    }
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'swipe'
  params: {
    start?: {
      /** 0 to 100. */
      x: number
      /** 0 to 100. */
      y: number
      unit: 'percent'
    } | {
      x: number
      y: number
      unit?: 'pixel'
    }
    end?: {
      /** 0 to 100. */
      x: number
      /** 0 to 100. */
      y: number
      unit: 'percent'
    } | {
      x: number
      y: number
      unit?: 'pixel'
    }
    direction?: 'down' | 'up' | 'left' | 'right'
    from?: {
      matcher?: Matcher
      coordinate?: {
        x: number
        y: number
      }
    }
    point?: {
      /** 0 to 100. */
      x: number
      /** 0 to 100. */
      y: number
      unit: 'percent'
    } | {
      x: number
      y: number
      unit: 'pixel'
    }
    /** 1 to 10000, default 300. */
    durationMs?: number
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'drag'
  params: {
    from: {
      matcher?: Matcher
      coordinate?: {
        x: number
        y: number
      }
    }
    to: {
      matcher?: Matcher
      coordinate?: {
        x: number
        y: number
      }
    }
    /** 0 to 10000, default 500. */
    holdMs?: number
    /** 1 to 10000, default 600. */
    durationMs?: number
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'pinch'
  params: {
    matcher?: Matcher
    coordinate?: {
      x: number
      y: number
    }
    scale: number
    /** 50 to 10000, default 400. */
    durationMs?: number
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'move_fingers'
  params: {
    /** At most 2 items. */
    fingers: {
      x: number
      y: number
      /** 0 to 10000. */
      ms: number
    }[][]
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'scroll'
  params?: {
    /** Default 'down'. */
    direction?: 'down' | 'up' | 'left' | 'right'
    container?: Matcher
    /** 0 to 1, default 0.7. */
    distanceRatio?: number
    /** 0 to 10000, default 250. */
    settleDelayMs?: number
    /** Default true. */
    findFirstScrollableChild?: boolean
    retry?: Retry
    scrollRetry?: Retry
    clickRetry?: Retry
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'scroll_until'
  params?: {
    matcher?: Matcher
    /** Default 'down'. */
    direction?: 'down' | 'up' | 'left' | 'right'
    container?: Matcher
    /** 0 to 1, default 0.7. */
    distanceRatio?: number
    /** 0 to 10000, default 250. */
    settleDelayMs?: number
    /** Default true. */
    findFirstScrollableChild?: boolean
    retry?: Retry
    scrollRetry?: Retry
    clickRetry?: Retry
    /** 1 to 200, default 20. */
    maxScrolls?: number
    /** 0 to 120000, default 10000. */
    maxDurationMs?: number
    /** 1 to 20, default 3. */
    noPositionChangeThreshold?: number
    /** Default false. */
    clickAfter?: boolean
    wholeScreen?: boolean
    /** 1 to 10000. */
    swipeDurationMs?: number
    /** 0 to 100. */
    minVisiblePercent?: number
    centerTarget?: boolean
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'scroll_and_click'
  params: {
    matcher: Matcher
    /** Default 'down'. */
    direction?: 'down' | 'up' | 'left' | 'right'
    container?: Matcher
    /** 0 to 1, default 0.7. */
    distanceRatio?: number
    /** 0 to 10000, default 250. */
    settleDelayMs?: number
    /** Default true. */
    findFirstScrollableChild?: boolean
    retry?: Retry
    scrollRetry?: Retry
    clickRetry?: Retry
    /** 1 to 50, default 10. */
    maxSwipes?: number
    /** Default true. */
    clickAfter?: boolean
    /** Default 'default'. */
    clickType?: 'default' | 'long_click' | 'focus'
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'wait_for_node'
  params: {
    matcher: Matcher
    state?: 'visible' | 'gone'
    /** 1 to 120000, default 10000. */
    timeoutMs?: number
    retry?: Retry
    scrollRetry?: Retry
    clickRetry?: Retry
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'wait_for_navigation'
  params: {
    expectedPackage?: string
    expectedNode?: Matcher
    /** 1 to 30000. */
    timeoutMs: number
    retry?: Retry
    scrollRetry?: Retry
    clickRetry?: Retry
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'wait_for_idle'
  params?: {
    /** 1 to 120000, default 5000. */
    timeoutMs?: number
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'read_text'
  params: {
    matcher: Matcher
    /** Default false. */
    all?: boolean
    container?: Matcher
    orHint?: boolean
    validator?: 'temperature' | 'version' | 'regex'
    validatorPattern?: string
    retry?: Retry
    scrollRetry?: Retry
    clickRetry?: Retry
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'read_key_value_pair'
  params: {
    labelMatcher: Matcher
    /** Default false. */
    all?: boolean
    retry?: Retry
    scrollRetry?: Retry
    clickRetry?: Retry
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'enter_text'
  params: {
    matcher?: Matcher
    /** At most 512 characters. */
    text: string
    /** Default false. */
    append?: boolean
    /** Default false. */
    clear?: boolean
    /** Default false. */
    submit?: boolean
    retry?: Retry
    scrollRetry?: Retry
    clickRetry?: Retry
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'erase_text'
  params?: {
    /** 1 to 1000, default 50. */
    characters?: number
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'press_key'
  params: {
    key: string
    longPress?: boolean
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'hide_keyboard'
  params?: {}
} | {
  /** At most 128 characters. */
  id: string
  type: 'expand_shade'
  params: {
    shade: 'notifications' | 'quick_settings'
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'collapse_shade'
  params?: {}
} | {
  /** At most 128 characters. */
  id: string
  type: 'answer_dialog'
  params: {
    /** At most 200 characters. */
    answer: string
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'get_clipboard'
  params?: {}
} | {
  /** At most 128 characters. */
  id: string
  type: 'set_clipboard'
  params: {
    /** At most 8000 characters. */
    text: string
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'shell'
  params: {
    command: string
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'read_page'
  params: {
    /** At most 255 characters. */
    applicationId?: string
    /** At most 200 characters. */
    page?: string
    /** At most 8 items. */
    frames?: string[]
    read: 'pages' | 'state' | 'source' | 'find' | 'active' | 'frame' | 'text' | 'tag' | 'attribute' | 'property' | 'style' | 'rect' | 'displayed' | 'enabled' | 'selected' | 'field'
    /** At most 64 characters. */
    element?: string
    by?: 'css selector' | 'xpath' | 'link text' | 'partial link text' | 'tag name' | 'class name' | 'id' | 'name'
    /** At most 10000 characters. */
    value?: string
    /** 0 to 1000. */
    index?: number
    /** 1 to 1000. */
    most?: number
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'change_page'
  params: {
    /** At most 255 characters. */
    applicationId: string
    /** At most 200 characters. */
    page: string
    /** At most 8 items. */
    frames?: string[]
    change: 'navigate' | 'back' | 'forward' | 'reload' | 'clear' | 'choose'
    /** At most 64 characters. */
    element?: string
    /** At most 100 characters. */
    label?: string
    /** At most 10000 characters. */
    uri?: string
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'page_script'
  params: {
    /** At most 255 characters. */
    applicationId: string
    /** At most 200 characters. */
    page: string
    /** At most 8 items. */
    frames?: string[]
    /** At most 90000 characters. */
    script: string
    /** At most 90000 characters, default '[]'. */
    args?: string
    /** Default false. */
    isAsync?: boolean
    /** 0 to 110000, default 30000. */
    timeoutMs?: number
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'snapshot'
  params?: {}
} | {
  /** At most 128 characters. */
  id: string
  type: 'take_screenshot'
  params?: {
    path?: string
    matcher?: Matcher
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'sleep'
  params: {
    /** 0 to 120000. */
    durationMs: number
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'show_toast'
  params: {
    /** At most 2048 characters. */
    text: string
    /** Default 'short'. */
    duration?: 'short' | 'long'
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'cancel_toast'
  params?: {}
} | {
  /** At most 128 characters. */
  id: string
  type: 'set_on_screen_log'
  params: {
    /** At most 2048 characters. */
    text?: string
    /** At most 2048 characters. */
    template?: string
    /** Default 'left'. */
    anchor?: 'left' | 'right'
    /** Default 'left'. */
    textAlign?: 'left' | 'right'
    /** 0 to 1000, default 8. */
    topOffsetDp?: number
    /** 0 to 1000, default 8. */
    edgeOffsetDp?: number
    /** 80 to 600, default 280. */
    widthDp?: number
    /** 8 to 24, default 12. */
    fontSizeSp?: number
    /** Default '#FFFFFFFF'. */
    textColor?: string
    /** Default '#B3000000'. */
    backgroundColor?: string
    /** 1000 to 3600000, default 300000. */
    ttlMs?: number
  }
} | {
  /** At most 128 characters. */
  id: string
  type: 'clear_on_screen_log'
  params?: {}
}

export type ExecutionResult = ExecutionSuccess | HttpFailure

export type RegistryEntry = {
  id: string
  applicationId: string
  intent: string
  summary: string
  path: string
  skillFile: string
  scripts: string[]
  artifacts: string[]
  keywords?: string[]
  contract?: unknown
} & { [key: string]: unknown }

export type ResultValue = {
  kind: 'text'
  text: string
} | {
  kind: 'json'
  value: unknown
} | {
  kind: 'result_envelope_ref'
  execEnvelopeIndex: number
  stepResultId?: string | null
}

export type SkillRunResponse = {
  ok: true
  skillResult: SkillResult
  durationMs: number
  timeoutMs?: number
  expectedSubstring?: string
} | {
  ok: true
  status: 'success'
  skillId: string
  output: string
  exitCode: 0
  skillResult: null
  durationMs: number
  timeoutMs?: number
  expectedSubstring?: string
} | {
  ok: null
  status: 'indeterminate'
  code: 'SKILL_VERIFICATION_INDETERMINATE'
  message: string
  hint?: string
  skillResult: SkillResult | null
  durationMs: number
  timeoutMs?: number
  expectedSubstring?: string
} | {
  ok: false
  status?: 'failed'
  error: {
    code: string
    message: string
    details?: { [key: string]: unknown }
    hint?: string
    retriable?: boolean
    skillId?: string
    exitCode?: number | null
    stdout?: string
    stderr?: string
    output?: string
    skillResult?: SkillResult | null
    expectedSubstring?: string
    timeoutMs?: number
  }
}

export type SkillSource = {
  kind: 'script'
} | {
  kind: 'agent'
  agentCli: string
}
