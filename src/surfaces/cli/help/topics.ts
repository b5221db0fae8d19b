/** `svc help <topic>`: what concerns many commands. The texts are sections of the documentation. */

const SUMMARIES = {
  selectors: 'how a command names a node of the screen',
  devices: 'which device a command uses, and which operator acts on it',
  output: 'what is printed, and where',
  receipts: 'what is known of an execution, and how to go on after a failure',
  'exit-codes': 'what the exit code of svc says',
  flows: "tests in Maestro's format: svc test",
  policy: 'the file that decides what may run',
  scenarios: 'what simulated devices show, and how to write it',
  environment: 'the environment variables that svc reads',
}

export type TopicName = keyof typeof SUMMARIES

export const TOPICS = (Object.keys(SUMMARIES) as TopicName[]).map(name => ({ name, summary: SUMMARIES[name] }))
