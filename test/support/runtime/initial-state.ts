/** The state in which an actor of a machine begins. */
import { CATALOGUE, type MachineName } from '../../../machines/catalogue.ts'
import { chartOf } from '../../../statecharts/chart.ts'

export const initialState = (machine: MachineName): string =>
  chartOf(machine, CATALOGUE[machine].logic).root.initial ?? ''
