/** One thing that `svc doctor` looked at. */

export interface Check {
  name: string
  /** With a warning svc works, if not for everything. */
  status: 'ok' | 'warning' | 'failed'
  message: string
  hint?: string
  details?: Record<string, unknown>
}

type Extra = Pick<Check, 'hint' | 'details'>

const check =
  (status: Check['status']) =>
  (name: string, message: string, extra: Extra = {}): Check => ({ name, status, message, ...extra })

export const fine = check('ok')
export const warning = check('warning')
export const failed = check('failed')
