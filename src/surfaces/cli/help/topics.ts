/** `svc help <topic>`: what concerns many commands. The names are here; each text is loaded when it is shown. */

export interface Topic {
  name: string
  summary: string
  text(): Promise<string>
}

export const TOPICS: readonly Topic[] = [
  {
    name: 'selectors',
    summary: 'how a command names a node of the screen',
    text: async () => (await import('./topics/selectors.ts')).SELECTORS,
  },
  {
    name: 'devices',
    summary: 'which device a command uses, and which operator acts on it',
    text: async () => (await import('./topics/devices.ts')).DEVICES,
  },
  {
    name: 'output',
    summary: 'what is printed, and where',
    text: async () => (await import('./topics/output.ts')).OUTPUT,
  },
  {
    name: 'receipts',
    summary: 'what is known of an execution, and how to go on after a failure',
    text: async () => (await import('./topics/receipts.ts')).RECEIPTS,
  },
  {
    name: 'exit-codes',
    summary: 'what the exit code of svc says',
    text: async () => (await import('./topics/exit-codes.ts')).EXIT_CODES,
  },
  {
    name: 'flows',
    summary: "tests in Maestro's format: svc test",
    text: async () => (await import('./topics/flows.ts')).FLOWS,
  },
  {
    name: 'policy',
    summary: 'the file that decides what may run',
    text: async () => (await import('./topics/policy.ts')).POLICY,
  },
  {
    name: 'scenarios',
    summary: 'what simulated devices show, and how to write it',
    text: async () => (await import('./topics/scenarios.ts')).SCENARIOS,
  },
  {
    name: 'environment',
    summary: 'the environment variables that svc reads',
    text: async () => (await import('./topics/environment.ts')).ENVIRONMENT,
  },
]

export const topicNamed = (name: string): Topic | undefined => TOPICS.find(topic => topic.name === name)
