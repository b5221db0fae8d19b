/** Actions on whole applications. */
import type { ActionType } from '../../executions/action.ts'
import { OPENED_BY_HOST_WITH } from '../../json/literals.ts'
import type { Cards } from '../card.ts'
import { asText, cut, join } from '../words.ts'

const PERMISSION_VERBS: Readonly<Record<string, string>> = { allow: 'Allow', deny: 'Deny', unset: 'Unset' }

const STOPS = ['close_app'] as const satisfies readonly ActionType[]

const STATES: Readonly<Record<string, string>> = { allow: 'allowed', deny: 'denied', unset: 'not set' }

const stateWord = (state: string): string => STATES[state] ?? state

/** Android ends an application that loses a permission. */
const endedBy = (state: string | undefined, previous: string): string =>
  previous === 'allow' && state !== undefined && state !== 'allow' ? '; losing it ends the application' : ''

export const APP_CARDS = {
  open_app: {
    effect: 'acts',
    repeat: 'never',
    by: params => (OPENED_BY_HOST_WITH.some(key => key in params) ? 'link' : 'operator'),
    touchesFront: false,
    appOf: ({ applicationId }) => applicationId,
    // Clearing the data of an application stops it.
    adds: ({ clearState, stopFirst, permissions }) => ({
      optional: [
        ...(clearState ? ['clear_app' as const] : []),
        ...(clearState || stopFirst ? ['close_app' as const] : []),
        ...(permissions ? ['set_permission' as const] : []),
      ],
    }),
    data: ['application_id'],
    // A failed step tells here what it had changed before it failed.
    notes: ['done'],
    failures: ['NAVIGATION_TIMEOUT', 'APP_NOT_FOUND', 'ACTIVITY_REFUSED', 'CLEAR_FAILED', 'PERMISSION_REFUSED'],
    words: ({ applicationId }) => join('Open', cut(asText(applicationId))),
    done: ({ application_id }) => join('Opened', application_id),
  },
  open_uri: {
    effect: 'acts',
    repeat: 'never',
    by: params => ('browser' in params ? 'link' : 'operator'),
    touchesFront: false,
    // The link opens an application.
    contains: ['open_app'],
    data: ['uri'],
    failures: ['URI_NOT_HANDLED', 'ACTIVITY_REFUSED'],
    words: ({ uri }) => join('Open', cut(asText(uri))),
    done: ({ uri }) => join('Opened', uri),
  },
  close_app: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: false,
    appOf: ({ applicationId }) => applicationId,
    data: ['application_id'],
    failures: ['ACTION_FAILED'],
    words: ({ applicationId }) => join('Close', cut(asText(applicationId))),
    done: ({ application_id }) => join('Closed', application_id),
  },
  install_app: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: false,
    hasUnknownApp: () => true,
    // Replacing or removing an application, or its data, stops it.
    contains: STOPS,
    data: ['application_id', 'version_name', 'version_code', 'replaced'],
    failures: ['FILE_NOT_FOUND', 'FILE_REFUSED', 'INSTALL_FAILED'],
    words: ({ paths }) => {
      const [first, ...more] = Array.isArray(paths) ? paths.map(asText) : []
      const name = cut((first ?? '').replace(/^.*[\\/]/, ''))
      return join('Install', name, more.length > 0 ? `and ${more.length} more` : '')
    },
    done: ({ application_id, version_name, version_code, replaced }) =>
      join(
        replaced === 'true' ? 'Replaced' : 'Installed',
        application_id,
        version_name,
        version_code && `(${version_code})`,
      ),
  },
  uninstall_app: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: false,
    appOf: ({ applicationId }) => applicationId,
    contains: STOPS,
    data: ['application_id'],
    failures: ['APP_NOT_FOUND', 'UNINSTALL_FAILED'],
    words: ({ applicationId }) => join('Uninstall', cut(asText(applicationId))),
    done: ({ application_id }) => join('Uninstalled', application_id),
  },
  clear_app: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: false,
    appOf: ({ applicationId }) => applicationId,
    contains: STOPS,
    data: ['application_id'],
    failures: ['APP_NOT_FOUND', 'CLEAR_FAILED'],
    words: ({ applicationId }) => join('Clear the data of', cut(asText(applicationId))),
    done: ({ application_id }) => join('Cleared the data of', application_id),
  },
  set_permission: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: false,
    appOf: ({ applicationId }) => applicationId,
    data: ['permission', 'previous'],
    failures: ['APP_NOT_FOUND', 'PERMISSION_REFUSED'],
    words: ({ applicationId, permission, state }) =>
      join(PERMISSION_VERBS[asText(state)] ?? 'Set', cut(asText(permission)), 'for', cut(asText(applicationId))),
    done: ({ permission, previous }, { state }) =>
      join(
        'Set',
        permission,
        state && `to ${stateWord(state)}`,
        previous && `(it was ${stateWord(previous)} before${endedBy(state, previous)})`,
      ),
  },
  measure_startup: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: false,
    appOf: ({ applicationId }) => applicationId,
    // A measurement opens the application, and stops it or presses home before.
    contains: ['open_app', 'close_app', 'press_key'],
    data: ['application_id', 'runs', 'median_ms'],
    failures: ['APP_NOT_FOUND', 'ACTION_FAILED'],
    words: ({ applicationId }) => join('Measure the start of', cut(asText(applicationId))),
    done: ({ application_id, median_ms }) =>
      join('Measured the start of', application_id, median_ms && `: ${median_ms} ms`),
  },
} as const satisfies Partial<Cards>
