/** Every code of the contract's section Errors: who raises it, its HTTP status, what may have executed. */
import type { ErrorObject } from './error.ts'
import type { FailureLayer } from './failure-layer.ts'

export interface Failure {
  layer: FailureLayer
  /** Null for a code that is never an answer over HTTP: it stays in the CLI, or travels inside an envelope. */
  http: number | null
  /** True unless it is certain that nothing of what was asked for has happened. */
  mayHaveExecuted: boolean
  /** True when sending the same again can succeed; never together with `mayHaveExecuted`. */
  retriable: boolean
  meaning: string
  /** A step fails with the same code: what it means there. Then it may have been carried out, like every step. */
  meaningOfStep?: string
  /** The step that answers it has touched nothing. */
  isStepUntouched?: true
}

const row = (layer: FailureLayer, http: number | null, meaning: string) => ({ layer, http, meaning })

/** Nothing happened, and sending the same again changes nothing. */
const refused = (...cells: Parameters<typeof row>) => ({ ...row(...cells), mayHaveExecuted: false, retriable: false })
/** Nothing happened, and the cause may pass. */
const passing = (...cells: Parameters<typeof row>) => ({ ...row(...cells), mayHaveExecuted: false, retriable: true })
/** Something may have happened: look before sending it again. */
const doubtful = (...cells: Parameters<typeof row>) => ({ ...row(...cells), mayHaveExecuted: true, retriable: false })

export const FAILURES = {
  INVALID_BODY: refused('route', 400, 'the body must be a JSON object of the documented shape'),
  INVALID_JSON: refused('route', 400, 'the body is malformed JSON'),
  INVALID_DEVICE_ID: refused('route', 400, 'deviceId must be a string'),
  INVALID_OPERATOR_PACKAGE: refused('route', 400, 'operatorPackage must be a non-blank string'),
  INVALID_PATH: refused('route', 400, 'path is blank or cannot be written'),
  INVALID_ARGS: refused('route', 400, 'args must be an array'),
  INVALID_TIMEOUT_MS: refused('route', 400, 'timeoutMs must be a positive integer'),
  INVALID_EXPECT_CONTAINS: refused('route', 400, 'expectContains must be a string'),
  INVALID_QUERY: refused('route', 400, 'a query parameter is repeated or out of range'),
  MISSING_EXECUTION: refused('route', 400, 'the body has no execution'),
  IDEMPOTENCY_KEY_REUSED: refused('route', 422, 'the key was used before with another payload'),
  RESUME_IN_DOUBT: refused('route', 409, 'details.step may have been executed already; say what is true with fromStep'),
  RESUME_REFUSED: refused('route', 409, 'the execution has nothing left to resume, or was resumed already'),
  FORWARD_REFUSED: refused('route', 409, 'a port cannot be forwarded; details.reason says why'),
  UNAUTHORIZED: refused('route', 401, 'a caller from another machine sent no valid token'),
  FORBIDDEN_ORIGIN: refused('route', 403, 'the request comes from a web page of another origin'),
  FORBIDDEN_HOST: refused('route', 403, 'the Host header is not an address of this server'),
  NOT_FOUND: refused('route', 404, 'no such route'),
  EXECUTION_NOT_FOUND: refused('route', 404, 'no receipt has this execution id'),
  ACTOR_NOT_FOUND: refused('route', 404, 'no actor has this id'),
  WEBSOCKET_REQUIRED: refused('route', 426, 'the route speaks WebSocket only'),
  METHOD_NOT_ALLOWED: refused('route', 405, 'the route exists, with other methods'),
  INTERNAL_SERVER_ERROR: doubtful('route', 500, 'an exception reached the edge of the server'),
  INTERNAL_ERROR: doubtful('route', 500, 'an internal error in a route or a driver'),

  EXECUTION_VALIDATION_FAILED: refused('execution', 400, 'the execution payload is invalid'),
  PAYLOAD_TOO_LARGE: refused('execution', 413, 'the body or the execution is over its limit'),
  EXECUTION_CONFLICT_IN_FLIGHT: passing('execution', 423, 'the device or the service is busy with an earlier request'),
  LEASE_NOT_FOUND: refused('execution', 404, 'no reservation has this id, or it is over; details.ended says why'),
  LEASE_OF_OTHER_DEVICE: refused('execution', 409, 'the reservation is of another device than the named one'),
  NO_DEVICES: passing('execution', 404, 'no device is ready'),
  DEVICE_NOT_FOUND: refused('execution', 404, 'the named device is not connected'),
  MULTIPLE_DEVICES_DEVICE_ID_REQUIRED: refused('execution', 400, 'several devices are ready and none was named'),
  EXECUTION_DENIED: refused('execution', 403, 'a rule of the policy refuses it; details.rule names the rule'),
  SHELL_DENIED: refused(
    'execution',
    403,
    'no rule of the policy allows the caller the action shell, or page_script, by its name',
  ),
  REF_STALE: {
    ...refused('execution', 409, 'the screen of a ref no longer stands; details say what changed'),
    meaningOfStep: 'the element of the matcher is gone, or no longer told apart; data.reason says why',
    isStepUntouched: true,
  },
  REF_AMBIGUOUS: refused('execution', 409, 'the node of a ref is there, and cannot be told to the operator'),
  DEVICE_NOT_INTERACTIVE: refused('execution', 409, 'the screen is off or locked'),
  DEVICE_UNAUTHORIZED: refused('execution', 409, 'the device has not accepted this host for debugging'),
  DEVICE_OFFLINE: passing('execution', 409, 'the device is listed as offline'),
  DEVICE_ACCESSIBILITY_NOT_RUNNING: refused('execution', 409, 'the accessibility service of the operator is off'),
  DEVICE_SHELL_UNAVAILABLE: passing('execution', 503, 'the shell of the device does not answer'),
  DEVICE_LINK_LOST: doubtful('execution', 503, 'the link broke; details.dispatched says whether the request was sent'),
  DEVICE_OUTPUT_TOO_LARGE: doubtful(
    'execution',
    500,
    'the device sent more than any answer can have; details.dispatched says whether the request was sent',
  ),
  OPERATOR_NOT_INSTALLED: refused('execution', 500, 'no operator app received the request'),
  OPERATOR_START_FAILED: passing('execution', 503, 'the helper on the device cannot be started'),
  BROADCAST_FAILED: passing('execution', 500, 'the device refused to deliver the request'),
  RESULT_ENVELOPE_TIMEOUT: doubtful('execution', 504, 'no result envelope arrived in time'),
  RESULT_ENVELOPE_MALFORMED: doubtful('execution', 500, 'the result envelope arrived damaged or incomplete'),
  EXECUTION_INTERRUPTED: doubtful('execution', 500, 'the host ended before the result arrived'),
  EXECUTION_CANCELLED: doubtful('execution', 500, 'the execution was cancelled; the device may still finish it'),
  ADB_NOT_FOUND: refused('execution', 500, 'no debug bridge program was found'),
  ADB_SERVER_FAILED: passing('execution', 500, 'the debug bridge server cannot be reached or started'),
  FLEET_UNREACHABLE: passing('fleet', 503, 'the NATS servers of the fleet do not answer; nothing was sent'),
  FLEET_HOST_GONE: doubtful(
    'fleet',
    503,
    'the host of the device does not answer, or no longer owns it; details.dispatched says whether the request was sent',
  ),
  FLEET_UNSAFE: refused('fleet', null, 'the settings of the NATS servers are unsafe for a fleet'),
  FLEET_HOST_TAKEN: refused('fleet', null, 'another live host of the fleet has this id'),
  JOURNAL_UNAVAILABLE: doubtful(
    'journal',
    500,
    'the journal fails; details.dispatched says whether the request was sent',
  ),

  SERVICE_UNAVAILABLE: doubtful('envelope', null, 'the accessibility service of the operator is off'),
  EXECUTION_ACTION_UNSUPPORTED: doubtful('envelope', null, 'this operator cannot perform the action'),
  ACTION_FAILED: doubtful('envelope', null, 'the step failed'),
  APP_NOT_FOUND: doubtful('envelope', 404, 'the application is not installed'),
  UNINSTALL_FAILED: doubtful('envelope', null, 'the device did not remove the application; data.reason says why'),
  CLEAR_FAILED: doubtful('envelope', null, 'the device did not clear the data of the application'),
  FILE_NOT_FOUND: doubtful('envelope', 404, 'the file is not there, on the host or on the device as the message says'),
  FILE_EXISTS: doubtful('envelope', 409, 'there is a file already, and overwrite is false'),
  FILE_REFUSED: doubtful('envelope', 403, 'the file may not be read, sent, written or removed; the message says why'),
  ACTIVITY_REFUSED: doubtful('envelope', null, 'the activity does not exist, or is not exported; data.reason says why'),
  PERMISSION_REFUSED: doubtful('envelope', null, 'the device did not change the permission; data.reason says why'),
  SETTING_REFUSED: doubtful('envelope', null, 'the device did not change the setting; data.reason says why'),
  URI_NOT_HANDLED: doubtful('envelope', null, 'no application opens the uri'),
  NAVIGATION_TIMEOUT: doubtful('envelope', null, 'the expected window did not come to the front in time'),
  NODE_NOT_FOUND: doubtful('envelope', null, 'no node on the screen matches'),
  NODE_STILL_VISIBLE: doubtful('envelope', null, 'a node that matches was on the screen until the wait was over'),
  NODE_NOT_CLICKABLE: doubtful('envelope', null, 'neither the node nor one around it can be clicked'),
  GESTURE_FAILED: doubtful('envelope', null, 'the system refused or cancelled the gesture'),
  CONTAINER_NOT_FOUND: doubtful('envelope', null, 'no node matches the container'),
  CONTAINER_NOT_SCROLLABLE: doubtful('envelope', null, 'the container does not scroll'),
  TARGET_NOT_FOUND: doubtful('envelope', null, 'scrolling ended without a match'),
  VALIDATOR_MISMATCH: doubtful('envelope', null, 'the text that was read fails its validator'),
  VALUE_NODE_NOT_FOUND: doubtful('envelope', null, 'the label has no value beside it'),
  GLOBAL_ACTION_FAILED: doubtful(
    'envelope',
    null,
    'the system refused the key, or what was asked of its keyboard or shade',
  ),
  DIALOG_NOT_FOUND: doubtful('envelope', null, 'no dialog with such a button is in front'),
  CLIPBOARD_UNAVAILABLE: doubtful('envelope', null, 'the clipboard of the device cannot be read, or set'),
  PAGE_NOT_FOUND: doubtful('envelope', null, 'the page is gone, or its application does not let it be inspected'),
  PAGE_UNREADABLE: doubtful('envelope', null, 'the inspector of the page did not answer as one does'),
  PAGE_REFUSED: doubtful('envelope', null, 'the page does not take the request; data.reason says why'),
  PAGE_SCRIPT_FAILED: doubtful('envelope', null, 'the script threw, took too long, or its result cannot be sent'),
  SNAPSHOT_HIERARCHY_UNAVAILABLE: doubtful('envelope', null, 'the window returned no hierarchy'),
  EVIDENCE_CAPTURE_FAILED: doubtful('envelope', null, 'the screenshot could not be taken or written'),
  ON_SCREEN_LOG_UNAVAILABLE: doubtful('envelope', null, 'the device cannot show an overlay window'),
  ON_SCREEN_LOG_RENDER_FAILED: doubtful('envelope', null, 'the overlay could not be laid out'),
  ON_SCREEN_LOG_TEMPLATE_FAILED: doubtful('envelope', null, 'a placeholder of the template has no value'),

  REGISTRY_READ_FAILED: refused('skills', 500, 'the skills registry cannot be read'),
  SKILL_NOT_FOUND: refused('skills', 404, 'the registry has no such skill'),
  SKILL_ID_INVALID: refused('skills', null, 'the id of a new skill must be <applicationId>.<intent>'),
  SKILL_ALREADY_EXISTS: refused('skills', null, 'a new skill id is taken'),
  SKILL_VALIDATION_FAILED: refused('skills', 400, 'files are missing, or the skill and the registry disagree'),
  SKILL_SCRIPT_NOT_FOUND: refused('skills', 400, 'the chosen script does not exist'),
  SKILL_AGENT_CLI_UNAVAILABLE: refused('skills', 400, 'the agent CLI of the skill is not available'),
  SKILL_EXECUTION_FAILED: doubtful('skills', 400, 'the script failed, or could not be started'),
  SKILL_EXECUTION_TIMEOUT: doubtful('skills', 400, 'the script ran into its timeout'),
  SKILL_OUTPUT_ASSERTION_FAILED: doubtful('skills', 400, 'the expected text is not in the output'),
  SKILL_RESULT_PARSE_FAILED: doubtful('skills', 400, 'the terminal frame is missing, malformed or untrusted'),
  SKILL_VERIFICATION_INDETERMINATE: doubtful('skills', 200, 'declared verification was not proved'),
  SKILLS_SYNC_FAILED: refused('skills', null, 'the ref is not main, or the registry cannot be read'),
  SKILLS_GIT_NOT_FOUND: refused('skills', null, 'git is not on the path'),
  SKILLS_RECORD_FAILED: refused('skills', null, 'the executions cannot be recorded as a skill'),
  SKILLS_SCAFFOLD_FAILED: refused('skills', null, 'the files of a new skill could not be written'),
  ARTIFACT_NOT_FOUND: refused('skills', null, 'the skill has no such artifact'),
  COMPILE_VAR_MISSING: refused('skills', null, 'a placeholder of the recipe has no value'),
  COMPILE_VARS_PARSE_FAILED: refused('skills', null, '--vars must be a JSON object'),
  COMPILE_VALIDATION_FAILED: refused('skills', null, 'the compiled payload is not a valid execution'),

  EMULATOR_NOT_FOUND: refused('emulators', 404, 'no AVD has this name'),
  EMULATOR_NOT_RUNNING: refused('emulators', 404, 'the AVD is not running'),
  EMULATOR_UNSUPPORTED: refused('emulators', 409, 'the AVD is of an unsupported kind'),
  EMULATOR_ALREADY_RUNNING: refused('emulators', 409, 'the AVD is running'),
  EMULATOR_BUSY: passing('emulators', 409, 'another request is changing the AVD'),
  EMULATOR_ALREADY_EXISTS: refused('emulators', 409, 'the name is taken'),
  EMULATOR_START_FAILED: doubtful('emulators', 500, 'the emulator died, or did not boot in time'),
  EMULATOR_STOP_FAILED: doubtful('emulators', 500, 'the emulator is still running after it was told to stop'),
  ANDROID_SDK_TOOL_MISSING: refused('emulators', 500, 'a tool of the Android SDK is missing'),
  ANDROID_AVD_CREATE_FAILED: refused('emulators', 500, 'the AVD could not be created; partial files were removed'),
  ANDROID_AVD_DELETE_FAILED: doubtful('emulators', 500, 'the AVD could not be deleted'),
  ANDROID_SYSTEM_IMAGE_INSTALL_FAILED: passing('emulators', 500, 'the system image could not be installed'),

  RECORDING_IN_PROGRESS: passing('recordings', 409, 'the screen of the device is being recorded already'),
  RECORDING_NOT_RUNNING: refused('recordings', 404, 'the screen of the device is not being recorded'),
  RECORDING_NOT_FOUND: refused('recordings', 404, 'this host has no such recording, or no such segment of it'),
  RECORDING_UNSUPPORTED: refused('recordings', 409, 'the device cannot record its screen'),
  RECORDING_NO_SPACE: refused('recordings', 409, 'the device or this host has too little free space'),
  RECORDING_FAILED: doubtful('recordings', 500, 'the recording failed; what was recorded before is kept'),

  FLOW_INVALID: refused('flows', 400, 'a flow cannot be read, or no flow is to be run; details.problems lists why'),
  TEST_RUN_NOT_FOUND: refused('flows', 404, 'no run of flows has this id'),
  TEST_RUN_NOT_RESUMABLE: refused('flows', 409, 'the run is over, is being run, or its flows have changed'),
  ASSERTION_FAILED: doubtful('flows', null, 'an assertion of a flow does not hold'),
  SCRIPT_FAILED: doubtful('flows', null, 'the JavaScript of a flow failed, or took too much time or memory'),
  COMMAND_IN_DOUBT: doubtful(
    'flows',
    null,
    'the host died while a command was under way: it may have been carried out',
  ),

  DAEMON_START_FAILED: passing('daemon', null, 'the daemon did not become ready in time'),
  DAEMON_STOP_FAILED: refused('daemon', null, 'the daemon could not be ended or cleaned up'),
  DAEMON_PROXY_ERROR: doubtful('daemon', null, 'the answer of the daemon was lost; it may have executed'),
  SERVER_UNREACHABLE: passing('library', null, 'no server answers at the address; nothing was sent'),
  ANSWER_LOST: doubtful('library', null, 'the connection broke before the answer; it may have executed'),
  EVENTS_MISSING: refused('library', null, 'a stream of the fleet cannot tell all transitions'),
  CONNECT_FAILED: passing('cli', null, 'the adb server cannot connect the address; details.reason says why'),
  PAIRING_FAILED: refused('cli', null, 'the phone was not paired; details.reason says why'),
  DISCOVERY_UNAVAILABLE: refused('cli', null, 'the adb server does not discover services of the network'),
  USAGE: refused('cli', null, 'an argument or the value of a flag is missing or unknown'),
  SERVE_START_FAILED: refused('serve', null, 'the server cannot listen on its address'),
  OPERATOR_INSTALL_FAILED: refused(
    'install',
    null,
    'the device refuses the packages of the operator; see details.reason',
  ),
  AUTHORING_SKILLS_CONFLICT: refused('install', null, 'a file that svc did not create is in the way'),
  AUTHORING_SKILLS_NOT_INSTALLED: refused('install', null, 'there are no authoring skills to update'),
  INSTALL_FAILED: {
    ...passing('install', null, 'something could not be written or removed; details.refused lists it'),
    meaningOfStep: 'the application was not installed; data.reason says why',
  },
  UPGRADE_CHECK_FAILED: passing('install', null, 'npm did not say which version it would install'),
} as const satisfies Record<string, Failure>

export type FailureCode = keyof typeof FAILURES

const ANY_OTHER_CODE = 500

export const isFailureCode = (code: string): code is FailureCode => Object.hasOwn(FAILURES, code)

/** Codes that are not answers over HTTP, and codes we have never heard of, count as any other code. */
export const httpStatusOf = (code: string): number =>
  (isFailureCode(code) ? FAILURES[code].http : null) ?? ANY_OTHER_CODE

export interface FailureExtra {
  details?: Record<string, unknown> | undefined
  hint?: string | undefined
}

export const failure = (code: FailureCode, message: string, extra: FailureExtra = {}): ErrorObject => ({
  code,
  message,
  ...(extra.details === undefined ? {} : { details: extra.details }),
  ...(extra.hint === undefined ? {} : { hint: extra.hint }),
  retriable: FAILURES[code].retriable,
})
