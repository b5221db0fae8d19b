/** `screencap`, `uiautomator` and `wm`: what is on the screen, and how large it is. */
import { snapshotXml } from '../../../device/screen/snapshot-xml.ts'
import { pause } from '../../../runtime/clock.ts'
import { storeFile } from '../../file-access.ts'
import { normalPath } from '../../files.ts'
import { ALREADY_REGISTERED } from '../../helper/touch-plan.ts'
import { badFlag, type Command, fail, parseFlags, USAGE_CODE } from '../command.ts'

export const screencap: Command = async context => {
  const flags = parseFlags(context.args, { on: 'ph', valued: 'd' })
  if (flags.bad) return badFlag(context, flags)
  const [file] = flags.rest
  if (!flags.has('p') && !file?.endsWith('.png')) {
    return fail(context, 'screencap: this device writes PNG only: use -p, or a file name that ends in .png')
  }
  const png = context.phone.screenshot()
  if (file === undefined) return context.out(png)
  const refused = storeFile(context.phone.files, normalPath(file, context.scope.cwd), png)
  return refused === undefined ? 0 : fail(context, `Error opening file: ${file} (${refused})`)
}

const DUMP_FILE = '/sdcard/window_dump.xml'

/** Ends with 0 also when there is nothing to dump, as the real one does: only what it prints tells. */
export const uiautomator: Command = async context => {
  const { phone, out, scope } = context
  const [verb, ...args] = context.args
  if (verb !== 'dump')
    return fail(context, `Unknown command: ${verb ?? ''}. This device takes: uiautomator dump [file]`, 1)
  const file = args.find(word => !word.startsWith('-')) ?? DUMP_FILE
  const connection = phone.helpers?.automation.connect('uiautomator')
  if (phone.helpers && !connection) {
    const trace = '\tat android.app.UiAutomation.connect(UiAutomation.java:253)'
    return fail(context, `java.lang.IllegalStateException: ${ALREADY_REGISTERED}\n${trace}`, 1)
  }
  await pause(context.waits, phone.dumpMs(), context.signal).finally(() => connection?.release())
  const tree = phone.tree()
  if (!tree) return fail(context, 'ERROR: null root node returned by UiTestAutomationBridge.', 0)
  const xml = snapshotXml(tree, { hasDrawingOrder: true })
  const path = normalPath(file, scope.cwd)
  if (path === '/dev/tty') await out(xml)
  else {
    const refused = storeFile(phone.files, path, Buffer.from(xml))
    if (refused !== undefined)
      return fail(context, `java.io.FileNotFoundException: ${path}: open failed: ${refused}`, 1)
  }
  return out(`UI hierchary dumped to: ${file.startsWith('/') ? file : path}\n`)
}

const ROTATION_VERBS = ['user-rotation', 'set-user-rotation']
const AUTO_KEY = 'system/accelerometer_rotation'
const ROTATION_KEY = 'system/user_rotation'

/** `wm user-rotation [-d id] [free|lock] [quarter turns]`. */
const userRotation: Command = async context => {
  const { phone, args, out } = context
  const [, ...words] = args.filter((word, at) => word !== '-d' && args[at - 1] !== '-d')
  const [mode, turns] = words
  if (mode === undefined) {
    const isFree = phone.settings.get(AUTO_KEY) === '1'
    return out(isFree ? 'free\n' : `lock ${phone.settings.get(ROTATION_KEY) ?? '0'}\n`)
  }
  if (mode !== 'free' && mode !== 'lock') {
    return fail(context, `Error: argument needs to be either -d, free or lock.`, USAGE_CODE)
  }
  if (turns !== undefined && !/^[0-3]$/.test(turns))
    return fail(context, `Error: bad rotation value ${turns}`, USAGE_CODE)
  phone.settings.set(AUTO_KEY, mode === 'free' ? '1' : '0')
  if (mode === 'lock') phone.settings.set(ROTATION_KEY, turns ?? String(phone.rotation()))
  return 0
}

export const wm: Command = async context => {
  const { phone, out } = context
  const [verb, value] = context.args
  if (verb === 'dismiss-keyguard') {
    phone.dismissKeyguard()
    return 0
  }
  if ((verb === 'size' || verb === 'density') && value !== undefined && value !== 'reset') {
    return fail(context, `Error: the ${verb} of this device is fixed`, USAGE_CODE)
  }
  if (ROTATION_VERBS.includes(verb ?? '')) return userRotation(context)
  const { width, height, density } = phone.size
  if (verb === 'size') await out(value === 'reset' ? '' : `Physical size: ${width}x${height}\n`)
  else if (verb === 'density') await out(value === 'reset' ? '' : `Physical density: ${density}\n`)
  else return fail(context, `Unknown command: ${verb ?? ''}`, USAGE_CODE)
  return 0
}
