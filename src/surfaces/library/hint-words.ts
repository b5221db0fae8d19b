/** The hints of a server in the words of a program: servers word them for HTTP, with fields and requests in backticks. */

type Words = readonly [http: RegExp | string, library: string]

/** Sentences that only make sense to a caller that writes HTTP itself. */
const SENTENCES: readonly Words[] = [
  [
    'Send the header Authorization: Bearer <token>; the token was printed when the server started.',
    'Give `connect({ url, token })` the token, or set SVC_SERVE_TOKEN; it was printed when the server started.',
  ],
  [
    'Send the request with its id in `Svc-Lease` if the reservation is yours',
    'Call it on the object that `svc.lease()` answered if the reservation is yours',
  ],
  [
    'Send a JSON object with Content-Type: application/json. See `GET /openapi.json` for every request.',
    'Correct what the message names; the types of `svc.request()` have every request.',
  ],
  ['See `GET /openapi.json` for every request.', 'See the types of `svc.request()`.'],
  ['See `GET /openapi.json` for the routes.', 'Check that the url is that of `svc serve`, without a path of its own.'],
  ['Give `deviceId` as a text', 'Give `svc.device()` a text'],
  ['Use a new key for another payload.', 'Use a new `idempotencyKey` for another call.'],
]

const ID = '([^\\s/?]+)'
const requestPattern = (method: string, path: string) => new RegExp(`^${method} ${path.replaceAll('?', '\\?')}$`)
const resume = (rest: string) => `svc.request('executions.resume', { executionId: '$1'${rest} })`

const SPANS: readonly Words[] = [
  ['deviceId', 'svc.device(deviceId)'],
  ['svc simulate', 'startPhones()` of `svc/simulator'],
  ['svc files list <folder>', 'svc.files.list(deviceId, { path })'],
  ['collapse_shade', 'phone.collapseShade()'],
  ['POST /snapshot', "phone.snapshot({ format: 'compact' })"],
  ['POST /screenshot', 'phone.screenshot()'],
  ['GET /devices', 'svc.devices.list()'],
  ['GET /devices/<id>/apps', 'svc.apps.list(deviceId)'],
  ['GET /devices/<id>/apps/<applicationId>', 'svc.apps.get(deviceId, applicationId)'],
  ['GET /devices/<id>/logs', 'svc.logs(deviceId)'],
  ['POST /android/provision/emulator', "svc.request('emulators.provision')"],
  ['GET /devices/<id>/forwards', "svc.request('forwards.list', { deviceId })"],
  ['GET /devices/<id>/recording', "svc.request('recording.status', { deviceId })"],
  ['POST /devices/<id>/recording', "svc.request('recording.start', { deviceId })"],
  ['DELETE /devices/<id>/recording', "svc.request('recording.stop', { deviceId })"],
  ['GET /leases', "svc.request('leases.list', {})"],
  ['POST /leases', 'svc.lease(device, { forMs })'],
  ['Svc-Lease', 'svc.lease()'],
  ['GET /skills', 'svc.skills.list()'],
  ['GET /test-runs', 'svc.test.list()'],
  ['POST /test-runs with the flows that did not pass', 'svc.test.run({ paths })'],
  ['GET /android/emulators', "svc.request('emulators.list', {})"],
  ['GET /fleet', "svc.request('fleet.status', {})"],
  ['GET /actors', "svc.request('actors.list', {})"],
  ['GET /actors/<id>/records', "svc.request('actors.records')"],
  ['POST /android/provision/emulator', "svc.request('emulators.provision', {})"],
  ['GET /openapi.json', 'svc.request()'],
  ['GET /executions', 'svc.receipts.list()'],
  [requestPattern('GET', `/executions?skillRunId=${ID}`), "svc.receipts.list({ skillRunId: '$1' })"],
  [requestPattern('GET', `/executions/${ID}`), "svc.receipts.get('$1')"],
  [requestPattern('DELETE', `/executions/${ID}`), "svc.receipts.cancel('$1')"],
  [requestPattern('GET', `/executions?commandId=${ID}`), "svc.receipts.list({ commandId: '$1' })"],
  [requestPattern('POST', `/android/emulators/${ID}/stop`), "svc.request('emulators.stop', { name: '$1' })"],
  [requestPattern('POST', `/fleet/hosts/${ID}/drain`), "svc.request('fleet.drain', { host: '$1' })"],
  [requestPattern('DELETE', `/test-runs/${ID}`), "svc.request('testRuns.cancel', { testRunId: '$1' })"],
  ['GET /devices/<id>/files', 'svc.files.list(deviceId, { path })'],
  ['GET /skills/<id>', "svc.request('skills.get', { skillId })"],
  [
    requestPattern('POST', `/android/emulators/create with abi ${ID}`),
    "svc.request('emulators.create', { name, abi: '$1' })",
  ],
  [requestPattern('DELETE', `/android/emulators/${ID}`), "svc.request('emulators.delete', { name: '$1' })"],
  [requestPattern('POST', `/executions/${ID}/resume with fromStep (.+)`), resume(", fromStep: '$2'")],
  [requestPattern('POST', `/executions/${ID}/resume`), resume('')],
]

const inWords = (span: string): string => {
  const words = SPANS.find(([http]) => (typeof http === 'string' ? http === span : http.test(span)))
  return words ? span.replace(...words) : span
}

/** @internal */
export const libraryHint = (hint: string): string =>
  SENTENCES.reduce((text, [http, library]) => text.replace(http, library), hint).replace(
    /`([^`]+)`/g,
    (_, span: string) => `\`${inWords(span)}\``,
  )
