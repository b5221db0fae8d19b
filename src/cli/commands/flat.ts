/** The flat commands: `svc open`, `svc click` and the others that stand for one action each. */
import type { Command } from '../command.ts'
import { close, open } from '../flat/apps.ts'
import { commandOf, type FlatCommand } from '../flat/command.ts'
import { back, press, typeText } from '../flat/keyboard.ts'
import { clearOnScreenLog, setOnScreenLog, toast } from '../flat/overlays.ts'
import { click, swipe } from '../flat/pointer.ts'
import { read, readValue } from '../flat/reading.ts'
import { scroll, scrollUntil } from '../flat/scrolling.ts'
import { sleep, wait, waitForNav } from '../flat/waiting.ts'

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
