/** `svc open`, `svc close`. */
import { openAction } from '../../executions/flat-actions.ts'
import type { FlatCommand } from './command.ts'

export const open: FlatCommand = {
  path: ['open'],
  shape: 'svc open <package|uri>',
  summary: 'open an application, or a URI in the application that handles it',
  details: 'An argument with a scheme (https:, tel:, myapp:) is a URI; anything else is a package name.',
  args: [{ name: 'package|uri', summary: 'com.android.settings, https://example.com', required: true }],
  examples: ['svc open com.android.settings', 'svc open https://example.com'],
  draft: ({ args: [target = ''] }) => openAction(target),
}

export const close: FlatCommand = {
  path: ['close'],
  shape: 'svc close <package>',
  summary: 'stop an application',
  args: [{ name: 'package', summary: 'com.android.settings', required: true }],
  examples: ['svc close com.android.settings'],
  draft: ({ args: [applicationId = ''] }) => ({ type: 'close_app', params: { applicationId } }),
}
