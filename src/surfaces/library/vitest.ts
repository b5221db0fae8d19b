/** The entry point `svc/vitest` of the package: Vitest's `test` with a simulated phone, one for each worker and scenario. */
import { test as base, type TestAPI } from 'vitest'
import { connect, type Phone, type Svc } from './main.ts'
import { type PhonesOptions, startPhones } from './start-phones.ts'
import { tellFailure } from './vitest-failure.ts'

export type TestScenario = PhonesOptions['scenario']

export interface Fixtures {
  /** What the phone is and shows; set it with `test.scoped({ scenario })`. */
  scenario: TestScenario
  /** A connection to a daemon of its own, which sees that phone alone. */
  svc: Svc
  phone: Phone
}

interface Stage {
  svc: Svc
  phone: Phone
  close(): Promise<void>
}

/** Keeps the settings of the shell, which are for other phones, away from the phone of a test. */
const ALONE = {
  // No address at all: nothing is asked there, and no server is started.
  ADB_SERVER_SOCKET: 'none',
  SVC_OPERATOR_PACKAGE: '',
  SVC_POLICY: '',
  SVC_JOURNAL: '',
  SVC_LEASE_BY: '',
} as const

const openStage = async (scenario: TestScenario): Promise<Stage> => {
  const phones = await startPhones({ scenario })
  try {
    const svc = await connect({ env: { ...phones.env, ...ALONE } })
    const close = async () => {
      await svc.close()
      await phones.close()
    }
    return { svc, phone: svc.device(phones.devices[0]?.serial), close }
  } catch (error) {
    await phones.close()
    throw error
  }
}

interface Stages {
  of(scenario: TestScenario): Promise<Stage>
}

/** Vitest's `test` with the fixtures `phone` and `svc`. */
export const test: TestAPI<Fixtures> = base.extend<Fixtures & { stages: Stages; stage: Stage }>({
  stages: [
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from the pattern
    async ({}, use) => {
      const open = new Map<string, Promise<Stage>>()
      await use({
        of(scenario) {
          const key = JSON.stringify(scenario ?? null)
          const known = open.get(key) ?? openStage(scenario)
          open.set(key, known)
          return known
        },
      })
      for (const stage of open.values()) await (await stage.catch(() => undefined))?.close()
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of fixtures from the pattern
  scenario: async ({}, use) => use(undefined),
  stage: async ({ stages, scenario, task, onTestFailed }, use) => {
    const stage = await stages.of(scenario)
    onTestFailed(() => tellFailure(stage.phone, task))
    await use(stage)
  },
  svc: async ({ stage }, use) => use(stage.svc),
  phone: async ({ stage }, use) => use(stage.phone),
}) as unknown as TestAPI<Fixtures>
