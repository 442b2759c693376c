// The state of a conversation under the names of the source document (S1-23), derived from
// that of the page. Nothing is kept here.

// stateOf returns {messages, streamingMessage, isLoading, error, hasMoreMessages,
// aiContext} of a chat: its items, whether one is being answered (busy), and what leads to
// earlier messages (before, or null).
export function stateOf({ items = [], busy = false, before = null }) {
  const running = items.findLast((i) => i.kind === 'answer' && i.state === 'running') ?? null;
  const last = items.findLast((i) => i.kind === 'answer') ?? null;
  return {
    messages: items
      .filter((i) => i.message)
      .map((i) => (i.kind === 'answer' ? { ...i.message, toolCalls: toolCalls(i) } : i.message)),
    streamingMessage: running && {
      id: running.turn,
      role: 'assistant',
      content: running.text,
      toolCalls: toolCalls(running),
      streamingStatus: { isStreaming: true },
    },
    isLoading: busy,
    error:
      last?.failure?.message && last.state === 'failed'
        ? { message: last.failure.message, code: last.failure.code }
        : null,
    hasMoreMessages: before !== null,
    aiContext: aiContext(items),
  };
}

// aiContext returns the calls of tools that run (activeTools), those that have ended
// (toolHistory), and those that are planned and have not begun (pendingToolCalls).
export function aiContext(items) {
  const answers = items.filter((i) => i.kind === 'answer');
  const calls = answers.flatMap(toolCalls);
  return {
    activeTools: calls.filter((c) => c.status === 'pending'),
    toolHistory: calls.filter((c) => c.status !== 'pending'),
    pendingToolCalls: answers.flatMap(pendingCalls),
  };
}

// toolCalls returns the calls of an answer: {id, name, arguments, status, output}, where
// status is pending, complete or error (S1-6), and output what the tool said, or null.
export function toolCalls({ steps = [] }) {
  return steps
    .filter((s) => s.kind === 'tool')
    .map((s) => ({
      id: s.call ?? '',
      name: s.tool ?? '',
      arguments: s.arguments ?? {},
      status: statusOf(s),
      output: s.state === 'running' ? null : s.message || null,
    }));
}

// statusOf is the status of a step that is a tool's call, or will be one (waiting).
export function statusOf({ state }) {
  if (state === 'running' || state === 'waiting') return 'pending';
  return state === 'done' ? 'complete' : 'error';
}

// pendingCalls returns the calls that the plan of an answer still has. Their arguments are
// not known before they begin.
export function pendingCalls({ state, turn, plan }) {
  if (state !== 'running') return [];
  return (plan ?? []).map(({ tool, purpose, step }) => ({
    id: `${turn}.${step}`,
    name: tool,
    arguments: null,
    status: 'pending',
    output: null,
    purpose,
  }));
}
