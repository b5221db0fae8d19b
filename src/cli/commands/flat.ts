/** The flat commands: `svc open`, `svc click` and the others that stand for one action each. */
import type { Command } from '../command.ts'
import { back, close, open, press, typeText } from '../flat/apps-and-keys.ts'
import { commandOf, type FlatCommand } from '../flat/command.ts'
import { clearOnScreenLog, setOnScreenLog, toast } from '../flat/overlays.ts'
import { click, scroll, scrollUntil, swipe } from '../flat/pointer.ts'
import { read, readValue, sleep, wait, waitForNav } from '../flat/reading.ts'

/** In the order of the help. */
export const FLAT_COMMANDS: readonly FlatCommand[] = [
  open,
  close,
  click,
  typeText,
  press,
  back,
  swipe,
  scroll,
  scrollUntil,
  read,
  readValue,
  wait,
  waitForNav,
  sleep,
  toast,
  setOnScreenLog,
  clearOnScreenLog,
]

export const FLAT: readonly Command[] = FLAT_COMMANDS.map(commandOf)
