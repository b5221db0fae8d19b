/** Prints the sections that the window manager keeps of an app that did not respond, under the names of the live ones. */
import type { Phone } from '../../phone.ts'
import { fullComponent, objectToken, shortComponent } from '../intent.ts'

const HEAD = 'WINDOW MANAGER LAST ANR (dumpsys window lastanr)'
const ACTIVITY = '.Main'

/** Printed before all that is so now. The keyboard of that time lay over the whole screen. */
export const lastAnr = ({ lastAnr: packageName, size }: Phone): string[] => {
  if (packageName === undefined) return [HEAD, '  <no ANR has occurred since boot>', '']
  const component = fullComponent(packageName, ACTIVITY)
  const window = `Window{${objectToken(`stuck ${component}`)} u0 ${component}}`
  const focus = [
    `  mCurrentFocus=${window}`,
    `  mFocusedApp=ActivityRecord{${objectToken(component)} u0 ${shortComponent(packageName, ACTIVITY)} t9}`,
  ]
  const frame = `[0,0][${size.width},${size.height}]`
  return [
    HEAD,
    '  ANR time: Nov 4, 2025 9:12:41 AM',
    `  Application at fault: ${window}`,
    '  Reason: Input dispatching timed out (waiting to send key event)',
    '',
    'WINDOW MANAGER DISPLAY CONTENTS (dumpsys window displays)',
    '  Display: mDisplayId=0 (organized)',
    ...focus,
    `      InsetsSource id=3 type=ime frame=${frame} visible=true`,
    '',
    'WINDOW MANAGER WINDOWS (dumpsys window windows)',
    `  Window #1 Window{${objectToken('stuck keyboard')} u0 InputMethod}:`,
    '    mDisplayId=0 package=com.android.inputmethod.latin appop=NONE',
    `    Frames: frame=${frame}`,
    '    isOnScreen=true isVisible=true',
    `  Window #0 ${window}:`,
    `    mDisplayId=0 package=${packageName} appop=NONE`,
    `    Frames: frame=${frame}`,
    '    isOnScreen=true isVisible=true',
    ...focus,
    '',
  ]
}
