/** Every command that is no block and no script, with what performs it. */
import { APPS } from './perform-app.ts'
import { ASSERTIONS } from './perform-assert.ts'
import { DEVICE } from './perform-device.ts'
import { MEDIA } from './perform-media.ts'
import { TOUCHES } from './perform-touch.ts'

export const PERFORMERS = { ...APPS, ...ASSERTIONS, ...DEVICE, ...MEDIA, ...TOUCHES }
