/**
 * The hint of each failure code, for failures that bring no better one of their own. Fields and routes stand in
 * backticks as HTTP has them: `door-words.ts` says them in the words of the other doors.
 */

import { STEP_HINTS } from '../failures/step-hints.ts'
import { type FailureCode, isFailureCode } from './failures.ts'

const OPENAPI = 'See `GET /openapi.json` for every request.'
const LOOK_FIRST = 'Look at the screen before you repeat anything.'

/** Answered by a command of svc and by a step; a failed step has the hint of its own by then. */
type CodeOfBoth = 'INSTALL_FAILED' | 'REF_STALE'

const OTHER_HINTS = {
  INVALID_BODY: `Send a JSON object with Content-Type: application/json. ${OPENAPI}`,
  INVALID_JSON: 'Correct the JSON at the named position: keys and texts stand in double quotes, without a last comma.',
  INVALID_DEVICE_ID: 'Give `deviceId` as a text, the serial of a device as `GET /devices` lists it, or leave it out.',
  INVALID_OPERATOR_PACKAGE:
    'Give `operatorPackage` as the name of a package such as svc.shell, or leave it out for the one of the device.',
  INVALID_PATH: 'Name a new file, or a picture that may be replaced, in a folder that svc can write to.',
  INVALID_ARGS: 'Give `args` as an array of texts, such as ["pizza", "5"].',
  INVALID_TIMEOUT_MS: 'Give `timeoutMs` as a whole number of milliseconds above 0, such as 120000.',
  INVALID_EXPECT_CONTAINS: 'Give `expectContains` as the text that the output must contain.',
  INVALID_QUERY: `Give each parameter once and within its limits. ${OPENAPI}`,
  MISSING_EXECUTION:
    'Put the payload into the field `execution`: {"commandId", "taskId", "source", "expectedFormat", "timeoutMs", "actions"}.',
  IDEMPOTENCY_KEY_REUSED: 'Use a new key for another payload.',
  RESUME_IN_DOUBT:
    'Look at the screen, then name the first step to run with `fromStep`: the step in doubt if it did not happen, else the one after it.',
  RESUME_REFUSED: 'To run its steps again, send them as a new execution.',
  FORWARD_REFUSED: 'Name another port, or remove what uses it; `GET /devices/<id>/forwards` lists the forwards.',
  UNAUTHORIZED: 'Send the header Authorization: Bearer <token>; the token was printed when the server started.',
  FORBIDDEN_ORIGIN: 'Start the server with svc serve --allow-origin <origin> if that page may drive your devices.',
  FORBIDDEN_HOST: 'Use the address that the server listens on, or start it with svc serve --host <name>.',
  NOT_FOUND: 'See `GET /openapi.json` for the routes.',
  EXECUTION_NOT_FOUND: 'Receipts are kept for 7 days. List them with `GET /executions`.',
  ACTOR_NOT_FOUND: 'See `GET /actors` for the live and recent actors.',
  WEBSOCKET_REQUIRED: 'Open this route with a WebSocket client.',
  METHOD_NOT_ALLOWED: 'Use one of the methods that the header Allow names.',
  INTERNAL_SERVER_ERROR: `Read the log of the server, which has the reason. ${LOOK_FIRST}`,
  INTERNAL_ERROR: `Read the log of svc, which has the reason. ${LOOK_FIRST}`,

  EXECUTION_VALIDATION_FAILED: 'Correct what the message names and send it again; nothing was sent to a device.',
  PAYLOAD_TOO_LARGE: 'Send fewer actions at once, or shorter texts.',
  EXECUTION_CONFLICT_IN_FLIGHT: 'Wait for the device with `waitMs`, or repeat the request when that execution is over.',
  LEASE_NOT_FOUND: 'See `GET /leases` for those that are held, or reserve the device again with `POST /leases`.',
  LEASE_OF_OTHER_DEVICE: 'Name the device of the reservation, or none: then its device is used.',
  NO_DEVICES:
    'Connect a phone with USB debugging on, start an emulator, or try `svc simulate`; svc doctor says what is missing.',
  DEVICE_NOT_FOUND: 'Name a device that `GET /devices` lists.',
  MULTIPLE_DEVICES_DEVICE_ID_REQUIRED: 'Name one of the connected devices with `deviceId`.',
  EXECUTION_DENIED: 'Change the rule in the policy file, or leave the action out; svc watch policy shows each refusal.',
  SHELL_DENIED:
    'Run it on the command line, or add a rule to the policy file with effect allow whose actions name shell, or page_script; `*` is not enough.',
  REF_STALE: 'Take another compact snapshot with `POST /snapshot`, and use its refs.',
  REF_AMBIGUOUS: 'Use a matcher or a coordinate in place of the ref.',
  DEVICE_NOT_INTERACTIVE: 'Unlock the phone, and switch off its screen lock if it runs unattended.',
  DEVICE_UNAUTHORIZED: 'Unlock the device and accept the question about USB debugging.',
  DEVICE_OFFLINE: 'Plug the device in again, or restart the adb server with adb kill-server.',
  DEVICE_ACCESSIBILITY_NOT_RUNNING:
    'Switch on the accessibility service of the operator in the settings of the device.',
  DEVICE_SHELL_UNAVAILABLE: 'Plug the device in again or restart it; svc doctor says whether it answers.',
  DEVICE_LINK_LOST: `Connect the device again. ${LOOK_FIRST}`,
  DEVICE_OUTPUT_TOO_LARGE: `Ask for less at once, such as one screen. ${LOOK_FIRST}`,
  OPERATOR_NOT_INSTALLED:
    'Name svc.shell as `operatorPackage`, which needs no app, or svc.uiautomator after svc operator install; an operator app comes as an APK from whoever makes it.',
  OPERATOR_START_FAILED: 'Try again, or name svc.shell as `operatorPackage`; svc operator status says what is wrong.',
  BROADCAST_FAILED: 'Try again; if it fails again, restart the operator app or the device.',
  RESULT_ENVELOPE_TIMEOUT: `${LOOK_FIRST} Give a longer \`timeoutMs\` where the steps need more time.`,
  RESULT_ENVELOPE_MALFORMED: `${LOOK_FIRST} Update the operator app if it happens again.`,
  EXECUTION_INTERRUPTED: `${LOOK_FIRST} Find its receipt with \`GET /executions\`: by that it can be resumed.`,
  EXECUTION_CANCELLED: 'To run it, send it again; look at the screen first if it had been sent.',
  ADB_NOT_FOUND:
    'Install the Android platform tools, or set ADB_PATH to adb; devices in SVC_TCP_DEVICES do not need adb.',
  ADB_SERVER_FAILED: 'Run adb kill-server and adb start-server, and check ADB_SERVER_SOCKET; svc doctor says more.',
  FLEET_UNREACHABLE: 'Check that the NATS servers run and can be reached; `GET /fleet` shows the connection.',
  FLEET_HOST_GONE: `See \`GET /executions\` of any host for what became of it. ${LOOK_FIRST}`,
  FLEET_UNSAFE: 'Change the settings of the NATS servers until svc doctor finds nothing wrong with them.',
  FLEET_HOST_TAKEN: 'Give this host another id, or stop the other one.',
  JOURNAL_UNAVAILABLE:
    'Free space on the disk of the svc home and check its permissions; svc doctor says what is wrong.',

  REGISTRY_READ_FAILED: 'Run svc skills install for an empty registry, or name one with SVC_SKILLS_REGISTRY.',
  SKILL_NOT_FOUND: 'See `GET /skills` for the skills there are.',
  SKILL_ID_INVALID: 'Give an id such as com.android.settings.open-wifi: the package, a dot and an intent.',
  SKILL_ALREADY_EXISTS: 'Choose another id, or remove the skill that has this one.',
  SKILL_VALIDATION_FAILED:
    'Correct what the message and `details` name, in the folder of the skill or in its registry entry.',
  SKILL_SCRIPT_NOT_FOUND: 'Restore the script, or correct its path in the registry entry.',
  SKILL_AGENT_CLI_UNAVAILABLE: 'Install the agent CLI that skill.json names, and see that it is on the PATH.',
  SKILL_EXECUTION_FAILED: 'Read what the script printed; `GET /executions` lists what the run did on its device.',
  SKILL_EXECUTION_TIMEOUT: 'The skill may have acted. If it needs longer, give it another `timeoutMs`.',
  SKILL_OUTPUT_ASSERTION_FAILED: 'The output of the answer is what the script printed.',
  SKILL_RESULT_PARSE_FAILED:
    'Print the marker alone on a line, then one JSON object that is a valid result, and nothing after it.',
  SKILL_VERIFICATION_INDETERMINATE:
    'Look at the screen: the skill ended well and did not prove what it declares in its verification.',
  SKILLS_SYNC_FAILED: 'Sync the branch main, and see that its registry can be read.',
  SKILLS_GIT_NOT_FOUND: 'Install git and see that it is on the PATH.',
  SKILLS_RECORD_FAILED: 'Name executions that ended well and are still on record: `GET /executions` lists them.',
  SKILLS_SCAFFOLD_FAILED: 'See that the folder of the skills can be written, and try again.',
  ARTIFACT_NOT_FOUND: 'Name an artifact of the skill: `GET /skills/<id>` lists them.',
  COMPILE_VAR_MISSING: 'Give a value for each placeholder that the message names.',
  COMPILE_VARS_PARSE_FAILED: 'Give the variables as a JSON object, such as {"NAME": "value"}.',
  COMPILE_VALIDATION_FAILED: 'Correct the recipe or the values until the payload is a valid execution.',

  EMULATOR_NOT_FOUND: 'See `GET /android/emulators` for the AVDs there are.',
  EMULATOR_NOT_RUNNING: 'Start it first; `GET /android/emulators` shows which AVDs run.',
  EMULATOR_UNSUPPORTED:
    'Use an AVD without unsupportedReasons, or have one made with `POST /android/provision/emulator`.',
  EMULATOR_ALREADY_RUNNING: 'Use the emulator as it runs, or stop it first.',
  EMULATOR_BUSY: 'Repeat the request when the change of the AVD that is under way has ended.',
  EMULATOR_ALREADY_EXISTS: 'Choose another name, or delete the AVD that has it.',
  EMULATOR_START_FAILED: 'Read the log of the emulator that the details name; svc doctor says what a host needs.',
  EMULATOR_STOP_FAILED: 'End the emulator process by hand, and check `GET /android/emulators`.',
  ANDROID_SDK_TOOL_MISSING:
    'Get the command-line tools of the Android SDK from https://developer.android.com/studio#command-line-tools-only, and set ANDROID_HOME to the folder of the SDK.',
  ANDROID_AVD_CREATE_FAILED: 'Read what avdmanager said, correct it, and try again.',
  ANDROID_AVD_DELETE_FAILED: 'Stop the emulator, see that the files of the AVD can be removed, and try again.',
  ANDROID_SYSTEM_IMAGE_INSTALL_FAILED: 'Check the network and the free space, and try again.',

  RECORDING_IN_PROGRESS: 'Stop it with `DELETE /devices/<id>/recording`, or wait for its end.',
  RECORDING_NOT_RUNNING: 'Start one with `POST /devices/<id>/recording`.',
  RECORDING_NOT_FOUND: 'Name a recording of this host: `GET /devices/<id>/recording` shows the last one of a device.',
  RECORDING_UNSUPPORTED:
    'Use a device with an encoder for video; take screenshots with `POST /screenshot` where there is none.',
  RECORDING_NO_SPACE: 'Free space where the message says, or record with a lower `bitRate`.',
  RECORDING_FAILED: 'Read what the phone said in the details; the segments that were saved are in the manifest.',

  FLOW_INVALID: 'Correct what the message names, then run the flows again.',
  TEST_RUN_NOT_FOUND: 'Look at the runs of this host: `GET /test-runs`.',
  TEST_RUN_NOT_RESUMABLE: 'Begin a new run: `POST /test-runs with the flows that did not pass`.',
  ASSERTION_FAILED: 'Compare what the flow expects with the screen at the failure, which the report shows.',
  SCRIPT_FAILED: 'Correct the script at the place that the message names.',
  COMMAND_IN_DOUBT: 'Look at the screen, then run the flow again from its beginning.',

  DAEMON_START_FAILED: 'Read the log of the daemon in the svc home, or run the command without the daemon.',
  DAEMON_STOP_FAILED: 'End the process that the message names by hand, and try again.',
  DAEMON_PROXY_ERROR: 'See whether it happened: `GET /executions`.',
  SERVER_UNREACHABLE: 'Start the server with svc serve, or give connect the url of one that runs.',
  ANSWER_LOST: 'See what became of it with svc.receipts.wait(error.executionId) before you do it again.',
  EVENTS_MISSING: 'Give onGap to go on in spite of gaps, and read the state of actors anew.',
  CONNECT_FAILED:
    'See that the phone is on, in the same network, and listens at this address: svc devices discover lists those that do.',
  PAIRING_FAILED:
    'Open Wireless debugging on the phone, take a new code, and use the address that it shows beside the code.',
  DISCOVERY_UNAVAILABLE:
    'Update the Android platform tools, restart the adb server, or name the address that the phone shows.',
  USAGE: 'See the help of the command or the arguments of the tool.',
  SERVE_START_FAILED: 'Choose another port or address, or stop the process that listens there.',
  OPERATOR_INSTALL_FAILED: 'Look at the screen of the phone, which may say more, and try again.',
  AUTHORING_SKILLS_CONFLICT: 'Move or rename what is in the way, and run the command again.',
  AUTHORING_SKILLS_NOT_INSTALLED: 'Install them with svc authoring-skills install.',
  INSTALL_FAILED: 'Fix what the details list and run the command again; it continues where it stopped.',
  UPGRADE_CHECK_FAILED: 'Run it again where npm reaches its registry; svc works without this check.',
} as const satisfies Record<Exclude<FailureCode, keyof typeof STEP_HINTS> | CodeOfBoth, string>

/** A code of an operator, or of a later version of svc. */
const UNKNOWN_CODE = 'Read the message, and look at the screen before you try again.'

export const failureHint = (code: string): string => {
  if (!isFailureCode(code)) return UNKNOWN_CODE
  return { ...STEP_HINTS, ...OTHER_HINTS }[code]
}
