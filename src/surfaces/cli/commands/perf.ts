/** `svc perf`: figures about an application, as the device counts them. */
import { PLAN_FLAGS } from '../../../service/executions/plan.ts'
import type { Command } from '../command.ts'
import { EXECUTION_USES, WAIT_FLAG } from '../executions/execution-command.ts'

const app = { name: 'package', summary: 'com.example.notes', required: true } as const

export const PERF: readonly Command[] = [
  {
    path: ['perf', 'startup'],
    text: async () => (await import('../perf/measure-startup.ts')).startupText,
    summary: 'start an application several times, and show how long it takes',
    details:
      'One execution (measure_startup), with a receipt. Adds to its output {"startup": {"applicationId", "runs": [{"kind",\n' +
      '"totalMs", "waitMs", "onTop"?}], "medianMs"}}. totalMs is until the first frame, waitMs until the device answered; kind is\n' +
      'cold, warm or hot. null is what the device does not say, or what belongs to another application, which onTop names.',
    args: [app],
    flags: [
      { name: 'runs', value: 'n', summary: 'how often, 1 to 20; 5 unless given' },
      { name: 'keep-running', summary: 'go to the home screen before each start, and do not end the application' },
      WAIT_FLAG,
      ...PLAN_FLAGS,
    ],
    uses: EXECUTION_USES,
    examples: ['svc perf startup com.android.settings', 'svc perf startup com.example.notes --runs 10 --keep-running'],
    run: async call => (await import('../perf/measure-startup.ts')).measureStartup(call),
  },
  {
    path: ['perf', 'frames'],
    text: async () => (await import('../perf/show-figures.ts')).framesText,
    summary: 'show how many frames an application has drawn, and how many came late',
    details:
      'Prints {"frames": {"applicationId", "running", "total", "janky", "p50", "p90", "p95", "p99"}}, the percentiles in ms,\n' +
      'since the application was started. null is what the device does not count: games and Flutter draw past it.',
    args: [app],
    uses: ['device'],
    examples: ['svc perf frames com.android.settings'],
    run: async call => (await import('../perf/show-figures.ts')).showFrames(call),
  },
  {
    path: ['perf', 'memory'],
    text: async () => (await import('../perf/show-figures.ts')).memoryText,
    summary: 'show the memory of an application',
    details:
      'Prints {"memory": {"applicationId", "running", "totalPss", "java", "native", "graphics"}} in kB; null is what the\n' +
      'device does not say. An application that does not run has running false, and no figures.',
    args: [app],
    uses: ['device'],
    examples: ['svc perf memory com.android.settings'],
    run: async call => (await import('../perf/show-figures.ts')).showMemory(call),
  },
]
