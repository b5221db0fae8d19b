/** hide_keyboard, expand_shade, collapse_shade and answer_dialog. */

import { centreOf } from '../../contracts/device/ui-tree.ts'
import type { Step, StepContext } from '../screen/context.ts'
import { buttonFor, dialogIn } from '../screen/dialog.ts'
import { treeOf } from '../screen/locate.ts'
import { controlsOf } from '../screen/phone-controls.ts'
import { poll } from '../screen/retry.ts'
import { StepFailure } from '../screen/step-failure.ts'
import type { Performers } from './performer.ts'

/** Windows of the system come and go with an animation. */
const SHOWN_MS = 2_000

const becomes = async (isSo: () => Promise<boolean>, { clock, signal, deadline }: StepContext): Promise<boolean> => {
  const until = Math.min(clock.now() + SHOWN_MS, deadline)
  return (await poll(async () => (await isSo()) || undefined, { clock, signal, until })) !== undefined
}

const refused = (reason: string, hint: string) => new StepFailure('GLOBAL_ACTION_FAILED', reason, { hint })

/** Back closes a keyboard that is shown, and would leave the screen where none is: then nothing is pressed. */
const hideKeyboard: Step<'hide_keyboard'> = async (_params, context) => {
  const controls = controlsOf(context)
  if (!(await controls.isKeyboardShown())) return {}
  await controls.pressKey('back', false)
  if (await becomes(async () => !(await controls.isKeyboardShown()), context)) return {}
  throw refused('the keyboard is still shown', 'Take a snapshot: the application may open its keyboard again.')
}

const expandShade: Step<'expand_shade'> = async ({ shade }, context) => {
  const controls = controlsOf(context)
  await controls.expandShade(shade)
  if (await becomes(() => controls.isShadeOpen(), context)) return {}
  throw refused(
    'the shade did not open',
    'The application in front, a lock screen or a device policy may keep it closed.',
  )
}

const collapseShade: Step<'collapse_shade'> = async (_params, context) => {
  const controls = controlsOf(context)
  await controls.collapseShade()
  if (await becomes(async () => !(await controls.isShadeOpen()), context)) return {}
  throw refused(
    'the shade is still open',
    'Take a snapshot to see what is in front: a lock screen does not go away with it.',
  )
}

/** The buttons of a dialog lie above what else is there, so a touch in the middle of one reaches it. */
const answerDialog: Step<'answer_dialog'> = async ({ answer }, context) => {
  controlsOf(context)
  const dialog = dialogIn(await treeOf(context))
  if (!dialog) throw new StepFailure('DIALOG_NOT_FOUND', 'no permission dialog and no alert is in front')
  const button = buttonFor(dialog, answer)
  if (!button) {
    const labels = dialog.buttons.map(({ label }) => JSON.stringify(label)).join(', ')
    throw new StepFailure(
      'DIALOG_NOT_FOUND',
      `the dialog ${JSON.stringify(dialog.title)} has no button ${JSON.stringify(answer)}`,
      {
        hint: `Its buttons: ${labels}.`,
      },
    )
  }
  if (await context.driver.click(button.node, 'default', centreOf(button.node.bounds))) {
    return { button: button.label, title: dialog.title }
  }
  throw new StepFailure('GESTURE_FAILED', `the system refused the touch on ${JSON.stringify(button.label)}`)
}

export const SYSTEM_STEPS = {
  hide_keyboard: { screen: hideKeyboard },
  expand_shade: { screen: expandShade },
  collapse_shade: { screen: collapseShade },
  answer_dialog: { screen: answerDialog },
} as const satisfies Partial<Performers>
