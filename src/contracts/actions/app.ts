/** Actions on whole applications: open_app, open_uri, close_app, uninstall_app, clear_app, measure_startup. */
import * as v from 'valibot'
import { NAVIGATION_TIMEOUT_MS, URI_CHARS_MAX } from '../limits.ts'
import { closedObject } from '../objects.ts'
import { STARTUP_RUNS } from '../perf.ts'
import { integer, nonBlank, visibleText } from '../scalars.ts'
import { action } from './shape.ts'

export const OpenApp = action(
  'open_app',
  closedObject({
    applicationId: nonBlank,
    skipNavigationWait: v.exactOptional(v.boolean(), false),
    navigationTimeoutMs: v.exactOptional(integer(NAVIGATION_TIMEOUT_MS), NAVIGATION_TIMEOUT_MS.default),
  }),
)

export const OpenUri = action('open_uri', closedObject({ uri: visibleText(URI_CHARS_MAX) }))

export const CloseApp = action('close_app', closedObject({ applicationId: nonBlank }))

export const UninstallApp = action(
  'uninstall_app',
  closedObject({ applicationId: nonBlank, keepData: v.exactOptional(v.boolean(), false) }),
)

export const ClearApp = action('clear_app', closedObject({ applicationId: nonBlank }))

/** `stopFirst` ends the application before each start; otherwise the home screen comes to the front. */
export const MeasureStartup = action(
  'measure_startup',
  closedObject({
    applicationId: nonBlank,
    runs: v.exactOptional(integer(STARTUP_RUNS), STARTUP_RUNS.default),
    stopFirst: v.exactOptional(v.boolean(), true),
  }),
)
