/** Fixed words of the contract that are also needed where no schema may be loaded: on the way of a proxied command. */

export const EXPECTED_FORMAT = 'android-ui-automator'
/** The `source` of executions that the HTTP server builds itself. */
export const SERVE_SOURCE = 'serve-api'
export const DEFAULT_OPERATOR_PACKAGE = 'com.svc.operator'
export const KEYS = ['back', 'home', 'recents', 'enter', 'delete'] as const
/** Every operator presses these; all others are pressed by the host. */
export const isOperatorKey = (name: string): name is (typeof KEYS)[number] => (KEYS as readonly string[]).includes(name)
export const DIRECTIONS = ['down', 'up', 'left', 'right'] as const
/** Short names for the permissions of a kind, whatever the device calls them. */
export const PERMISSION_GROUPS = [
  'camera',
  'microphone',
  'location',
  'contacts',
  'phone',
  'sms',
  'storage',
  'media',
  'notifications',
  'calendar',
  'bluetooth',
  'all',
] as const
/** `unset`: as if nobody had been asked. */
export const PERMISSION_STATES = ['allow', 'deny', 'unset'] as const

/** Operators do not know these params of `open_app`: with one of them the host opens the application itself. */
export const OPENED_BY_HOST_WITH = [
  'activity',
  'arguments',
  'clearState',
  'stopFirst',
  'permissions',
  'ifRequested',
] as const

/** The source of the executions of WebDriver sessions. */
export const WEBDRIVER_SOURCE = 'svc-webdriver'

/** The source of the executions of flows. */
export const FLOW_SOURCE = 'svc-flow'
