/** The execution that the demo sends: open Settings, find the last row, read the Android version, take a picture. */
export const demoPayload = (screenshot: string) => ({
  commandId: 'demo',
  taskId: 'demo',
  source: 'demo',
  expectedFormat: 'android-ui-automator',
  timeoutMs: 30_000,
  actions: [
    { id: 'open', type: 'open_app', params: { applicationId: 'com.android.settings' } },
    {
      id: 'find',
      type: 'scroll_until',
      params: { matcher: { textEquals: 'About phone' }, clickAfter: true, maxDurationMs: 20_000 },
    },
    { id: 'there', type: 'wait_for_node', params: { matcher: { textEquals: 'Android version' } } },
    { id: 'version', type: 'read_key_value_pair', params: { labelMatcher: { textEquals: 'Android version' } } },
    { id: 'shot', type: 'take_screenshot', params: { path: screenshot } },
  ],
})
