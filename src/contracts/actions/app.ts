/** Actions on whole applications: open_app, open_uri, close_app, install_app, uninstall_app, clear_app, set_permission, measure_startup. */
import * as v from 'valibot'
import { STARTUP_RUNS } from '../device/perf.ts'
import { isPermissionName, PERMISSION_NAME_RULE, PermissionName, PermissionState } from '../device/permissions.ts'
import type { OPENED_BY_HOST_WITH } from '../json/literals.ts'
import { closedObject, namedValues } from '../json/objects.ts'
import { integer, nonBlank, unboundedText, visibleText } from '../json/scalars.ts'
import { HOST_PATH_CHARS_MAX, INSTALL_PATHS } from '../limits/file-limits.ts'
import { NAVIGATION_TIMEOUT_MS, URI_CHARS_MAX } from '../limits/limits.ts'
import {
  ACTIVITY_CHARS_MAX,
  ARGUMENT_NAME_CHARS_MAX,
  ARGUMENTS_CHARS_MAX,
  ARGUMENTS_MAX,
  PERMISSIONS_MAX,
} from '../limits/permission-limits.ts'
import { action } from './shape.ts'

const Activity = v.pipe(
  v.string(),
  v.minLength(1),
  v.maxLength(ACTIVITY_CHARS_MAX),
  v.regex(/^\.?[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/, 'must be an activity such as .DetailActivity'),
)

const ArgumentValue = v.union(
  [
    unboundedText,
    v.boolean(),
    v.pipe(
      v.number(),
      v.check(value => Number.isFinite(value), 'must be a number that is not too large'),
    ),
  ],
  'must be text, a number, true or false',
)

const isArgumentName = (name: string) => name.length <= ARGUMENT_NAME_CHARS_MAX && v.is(nonBlank, name)

const Arguments = v.pipe(
  namedValues(ArgumentValue),
  v.check(args => Object.keys(args).length <= ARGUMENTS_MAX, `must have at most ${ARGUMENTS_MAX} names`),
  v.check(
    args => Object.keys(args).every(isArgumentName),
    `must have names of 1 to ${ARGUMENT_NAME_CHARS_MAX} characters, without NUL or a lone surrogate`,
  ),
  v.check(
    args => Object.entries(args).flat().join('').length <= ARGUMENTS_CHARS_MAX,
    `must have at most ${ARGUMENTS_CHARS_MAX} characters in all names and values together`,
  ),
  v.metadata({ maxProperties: ARGUMENTS_MAX }),
)

const Permissions = v.pipe(
  namedValues(PermissionState),
  v.check(
    permissions => Object.keys(permissions).length <= PERMISSIONS_MAX,
    `must have at most ${PERMISSIONS_MAX} names`,
  ),
  v.check(
    permissions => Object.keys(permissions).every(isPermissionName),
    `must have names that are each ${PERMISSION_NAME_RULE}`,
  ),
  v.metadata({ maxProperties: PERMISSIONS_MAX }),
)

/** With `ifRequested`, permissions that the application does not ask for are passed over. */
const hostEntries = {
  activity: v.exactOptional(Activity),
  arguments: v.exactOptional(Arguments),
  clearState: v.exactOptional(v.boolean()),
  stopFirst: v.exactOptional(v.boolean()),
  permissions: v.exactOptional(Permissions),
  ifRequested: v.exactOptional(v.boolean()),
} satisfies Record<(typeof OPENED_BY_HOST_WITH)[number], unknown>

export const APP_ACTIONS = [
  action(
    'open_app',
    closedObject({
      applicationId: nonBlank,
      skipNavigationWait: v.exactOptional(v.boolean(), false),
      navigationTimeoutMs: v.exactOptional(integer(NAVIGATION_TIMEOUT_MS), NAVIGATION_TIMEOUT_MS.default),
      ...hostEntries,
    }),
  ),
  /** `browser`: in Chrome, else in Firefox, else as without it. */
  action('open_uri', closedObject({ uri: visibleText(URI_CHARS_MAX), browser: v.exactOptional(v.boolean()) })),
  /** `background` ends it as the system does that needs memory: only while it is not in front. */
  action('close_app', closedObject({ applicationId: nonBlank, background: v.exactOptional(v.boolean()) })),
  /** `paths` are files of the host that performs it: the base of one application, and its splits. */
  action(
    'install_app',
    closedObject({
      paths: v.pipe(
        v.array(visibleText(HOST_PATH_CHARS_MAX)),
        v.minLength(INSTALL_PATHS.min),
        v.maxLength(INSTALL_PATHS.max),
      ),
      grantPermissions: v.exactOptional(v.boolean(), false),
      downgrade: v.exactOptional(v.boolean(), false),
    }),
  ),
  action('uninstall_app', closedObject({ applicationId: nonBlank, keepData: v.exactOptional(v.boolean(), false) })),
  action('clear_app', closedObject({ applicationId: nonBlank })),
  /** `ifRequested` changes nothing where the application does not ask for the permission, in place of a refusal. */
  action(
    'set_permission',
    closedObject({
      applicationId: nonBlank,
      permission: PermissionName,
      state: PermissionState,
      ifRequested: v.exactOptional(v.boolean()),
    }),
  ),
  /** `stopFirst` ends the application before each start; otherwise the home screen comes to the front. */
  action(
    'measure_startup',
    closedObject({
      applicationId: nonBlank,
      runs: v.exactOptional(integer(STARTUP_RUNS), STARTUP_RUNS.default),
      stopFirst: v.exactOptional(v.boolean(), true),
    }),
  ),
] as const
