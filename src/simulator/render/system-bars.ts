/** What every screen has around it: the status bar above, the pill of gesture navigation below. */
import { NAVIGATION_BAR, STATUS_BAR } from '../ui/layout.ts'
import { FAINT, type Ink, isDark, TEXT, WHITE } from './ink.ts'
import { pixelsOf } from './typesetting.ts'

/** The same in every picture, so that pictures of the same screen are the same. */
const TIME = '10:00'
const BARS = 4

export const paintSystemBars = (ink: Ink, background: string): void => {
  const { metrics } = ink
  const { width, height } = metrics
  const dp = (size: number) => pixelsOf(size, metrics)
  const colour = isDark(background) ? WHITE : TEXT
  const bottom = dp(STATUS_BAR)
  ink.rectangle({ left: 0, top: 0, right: width, bottom }, background)
  ink.text(TIME, { left: dp(24), top: 0, right: width, bottom }, { colour, size: 14 })

  const [top, floor] = [dp(8), dp(20)]
  const battery = { left: width - dp(32), top: dp(7), right: width - dp(24), bottom: floor }
  ink.rectangle(battery, colour, 2)
  ink.rectangle({ left: battery.left + dp(2), top: dp(5), right: battery.right - dp(2), bottom: dp(8) }, colour)
  for (let i = 0; i < BARS; i += 1) {
    const left = width - dp(56) + i * dp(5)
    ink.rectangle(
      { left, top: floor - Math.round(((floor - top) * (i + 1)) / BARS), right: left + dp(4), bottom: floor },
      colour,
    )
  }

  const edge = { left: 0, top: height - dp(NAVIGATION_BAR), right: width, bottom: height }
  ink.rectangle(edge, background)
  const middle = Math.floor(width / 2)
  const pill = { left: middle - dp(54), top: height - dp(14), right: middle + dp(54), bottom: height - dp(10) }
  ink.rectangle(pill, isDark(background) ? WHITE : FAINT, 2)
}
