/** Requests that svc answers: method, path, whether it looks or acts, and what it reaches. No import: clients load this. */

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** `looks` changes nothing and may be asked again; `acts` is never sent twice. */
export type Effect = 'looks' | 'acts'

/** The host that answers: the one with the device, execution or reservation, every host, the named one, or the one asked. */
export type Reach = 'device' | 'execution' | 'lease' | 'every host' | 'named host' | 'this host'

/** A part `:name` of the path is a field of the input. */
export type Route = readonly [method: Method, path: `/${string}`, effect: Effect, reach: Reach]

export const ROUTES = {
  'server.ping': ['GET', '/ping', 'looks', 'this host'],
  'server.health': ['GET', '/health', 'looks', 'this host'],
  'server.version': ['GET', '/version', 'looks', 'this host'],
  'server.openapi': ['GET', '/openapi.json', 'looks', 'this host'],
  'server.home': ['GET', '/', 'looks', 'this host'],
  'server.docs': ['GET', '/docs', 'looks', 'this host'],
  'server.api': ['GET', '/docs/api', 'looks', 'this host'],
  'server.docsFile': ['GET', '/docs/:name', 'looks', 'this host'],
  'server.viewer': ['GET', '/inspector', 'looks', 'this host'],
  'server.viewerFile': ['GET', '/inspector/files/:name', 'looks', 'this host'],
  'server.inspectWs': ['GET', '/inspect-ws', 'looks', 'this host'],
  'mcp.message': ['POST', '/mcp', 'acts', 'this host'],
  'mcp.stream': ['GET', '/mcp', 'looks', 'this host'],
  'mcp.end': ['DELETE', '/mcp', 'acts', 'this host'],

  'devices.list': ['GET', '/devices', 'looks', 'every host'],
  'devices.get': ['GET', '/devices/:deviceId', 'looks', 'device'],
  'apps.list': ['GET', '/devices/:deviceId/apps', 'looks', 'device'],
  'settings.get': ['GET', '/devices/:deviceId/settings', 'looks', 'device'],
  'apps.get': ['GET', '/devices/:deviceId/apps/:applicationId', 'looks', 'device'],
  'files.list': ['GET', '/devices/:deviceId/files', 'looks', 'device'],
  'logs.follow': ['GET', '/devices/:deviceId/logs', 'looks', 'device'],
  'logs.read': ['GET', '/devices/:deviceId/logs/lines', 'looks', 'device'],
  'notifications.list': ['GET', '/devices/:deviceId/notifications', 'looks', 'device'],
  'apps.frames': ['GET', '/devices/:deviceId/apps/:applicationId/frames', 'looks', 'device'],
  'apps.memory': ['GET', '/devices/:deviceId/apps/:applicationId/memory', 'looks', 'device'],
  'forwards.list': ['GET', '/devices/:deviceId/forwards', 'looks', 'device'],
  'forwards.add': ['POST', '/devices/:deviceId/forwards', 'acts', 'device'],
  'forwards.remove': ['DELETE', '/devices/:deviceId/forwards/:end', 'acts', 'device'],
  'reverses.list': ['GET', '/devices/:deviceId/reverses', 'looks', 'device'],
  'reverses.add': ['POST', '/devices/:deviceId/reverses', 'acts', 'device'],
  'reverses.remove': ['DELETE', '/devices/:deviceId/reverses/:end', 'acts', 'device'],

  'recording.start': ['POST', '/devices/:deviceId/recording', 'acts', 'device'],
  'recording.status': ['GET', '/devices/:deviceId/recording', 'looks', 'device'],
  'recording.stop': ['DELETE', '/devices/:deviceId/recording', 'acts', 'device'],
  'recordings.get': ['GET', '/recordings/:recordingId', 'looks', 'this host'],
  'recordings.video': ['GET', '/recordings/:recordingId/segments/:segment', 'looks', 'this host'],

  'leases.create': ['POST', '/leases', 'acts', 'device'],
  'leases.list': ['GET', '/leases', 'looks', 'every host'],
  'leases.extend': ['PUT', '/leases/:leaseId', 'acts', 'lease'],
  'leases.end': ['DELETE', '/leases/:leaseId', 'acts', 'lease'],

  execute: ['POST', '/execute', 'acts', 'device'],
  snapshot: ['POST', '/snapshot', 'looks', 'device'],
  screenshot: ['POST', '/screenshot', 'looks', 'device'],
  'executions.list': ['GET', '/executions', 'looks', 'every host'],
  'executions.get': ['GET', '/executions/:executionId', 'looks', 'execution'],
  'executions.cancel': ['DELETE', '/executions/:executionId', 'acts', 'execution'],
  'executions.resume': ['POST', '/executions/:executionId/resume', 'acts', 'execution'],
  'executions.trace': ['GET', '/executions/:executionId/trace', 'looks', 'execution'],
  'executions.traceFile': ['GET', '/executions/:executionId/trace.html', 'looks', 'execution'],
  'executions.picture': ['GET', '/executions/:executionId/screenshots/:step', 'looks', 'execution'],

  'skills.list': ['GET', '/skills', 'looks', 'this host'],
  'skills.get': ['GET', '/skills/:skillId', 'looks', 'this host'],
  'skills.run': ['POST', '/skills/:skillId/run', 'acts', 'device'],
  'skillRuns.trace': ['GET', '/skill-runs/:runId/trace', 'looks', 'execution'],
  'skillRuns.traceFile': ['GET', '/skill-runs/:runId/trace.html', 'looks', 'execution'],

  'testRuns.start': ['POST', '/test-runs', 'acts', 'this host'],
  'testRuns.list': ['GET', '/test-runs', 'looks', 'this host'],
  'testRuns.get': ['GET', '/test-runs/:testRunId', 'looks', 'this host'],
  'testRuns.cancel': ['DELETE', '/test-runs/:testRunId', 'acts', 'this host'],

  'emulators.list': ['GET', '/android/emulators', 'looks', 'this host'],
  'emulators.running': ['GET', '/android/emulators/running', 'looks', 'this host'],
  'emulators.get': ['GET', '/android/emulators/:name', 'looks', 'this host'],
  'emulators.create': ['POST', '/android/emulators/create', 'acts', 'this host'],
  'emulators.start': ['POST', '/android/emulators/:name/start', 'acts', 'this host'],
  'emulators.stop': ['POST', '/android/emulators/:name/stop', 'acts', 'this host'],
  'emulators.delete': ['DELETE', '/android/emulators/:name', 'acts', 'this host'],
  'emulators.provision': ['POST', '/android/provision/emulator', 'acts', 'this host'],

  'outcomes.follow': ['GET', '/events', 'looks', 'this host'],
  'actors.list': ['GET', '/actors', 'looks', 'this host'],
  'actors.follow': ['GET', '/actors/events', 'looks', 'this host'],
  'actors.get': ['GET', '/actors/:id', 'looks', 'this host'],
  'actors.history': ['GET', '/actors/:id/history', 'looks', 'this host'],
  'actors.records': ['GET', '/actors/:id/records', 'looks', 'this host'],
  'actors.recordBody': ['GET', '/actors/:id/records/:seq/body', 'looks', 'this host'],

  'viewer.actors': ['GET', '/inspector/actors', 'looks', 'this host'],
  'viewer.executions': ['GET', '/inspector/executions', 'looks', 'this host'],
  'viewer.deviceScreen': ['GET', '/inspector/devices/:serial', 'looks', 'this host'],
  'viewer.look': ['POST', '/inspector/looks', 'looks', 'device'],

  'fleet.status': ['GET', '/fleet', 'looks', 'this host'],
  'fleet.drain': ['POST', '/fleet/hosts/:host/drain', 'acts', 'named host'],
  'fleet.forget': ['DELETE', '/fleet/hosts/:host', 'acts', 'this host'],
  'parcels.put': ['POST', '/fleet/parcels/:digest', 'acts', 'named host'],
  'parcels.get': ['GET', '/fleet/parcels/:executionId/:position', 'looks', 'execution'],
} as const satisfies Record<string, Route>
export type RouteId = keyof typeof ROUTES
