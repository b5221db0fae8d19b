/** Every chart that is drawn: those of the recorded machines, and that of the table which the thin client runs. */
import { CATALOGUE } from './catalogue.ts'
import { dispatch } from './dispatch/dispatch.ts'

const { device, ...others } = CATALOGUE

export const CHARTS = { device, dispatch: { logic: dispatch }, ...others } as const

export type ChartName = keyof typeof CHARTS
