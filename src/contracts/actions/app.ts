/** Actions on whole applications: open_app, open_uri, close_app, install_app, uninstall_app, clear_app. */
import * as v from 'valibot'
import { HOST_PATH_CHARS_MAX, INSTALL_PATHS } from '../file-limits.ts'
import { NAVIGATION_TIMEOUT_MS, URI_CHARS_MAX } from '../limits.ts'
import { closedObject } from '../objects.ts'
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

/** `paths` are files of the host that performs it: the base of one application, and its splits. */
export const InstallApp = action(
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
)

export const UninstallApp = action(
  'uninstall_app',
  closedObject({ applicationId: nonBlank, keepData: v.exactOptional(v.boolean(), false) }),
)

export const ClearApp = action('clear_app', closedObject({ applicationId: nonBlank }))
