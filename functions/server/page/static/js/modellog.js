// What a development server kept of the talk with the model, put into an order
// that people can read. It speaks OpenAI's two dialects; of anything else it
// keeps the text as it came.

// readCall turns one entry of the journal into {id, at, ms, status, path,
// model, messages: [{role, text, calls}], tools: [{name, description}],
// answer: {text, calls}, usage: {input, output, cached} | null, cut}. A call of
// a tool is {name, arguments}.
export function readCall(entry) {
  const request = entry.request ?? {};
  return {
    id: entry.id,
    at: Date.parse(entry.at),
    ms: entry.ms,
    status: entry.status,
    path: entry.path,
    cut: entry.cut,
    model: request.model ?? '',
    messages: messages(request),
    tools: (request.tools ?? []).map((t) => ({
      name: t.function?.name ?? t.name ?? '',
      description: t.function?.description ?? t.description ?? '',
    })),
    ...answer(entry.answer ?? ''),
  };
}

// during picks the calls that were made for an answer: those of its time.
export function during(calls, { startedAt, ms }) {
  return calls.filter((c) => c.at >= startedAt - 1500 && c.at <= startedAt + ms + 500);
}

function messages(request) {
  const found = (request.messages ?? (Array.isArray(request.input) ? request.input : [])).map((m) => ({
    role:
      m.role ??
      (m.type === 'function_call' ? 'assistant' : m.type === 'function_call_output' ? 'tool' : (m.type ?? '')),
    text: words(m.content ?? m.output ?? ''),
    calls: m.type === 'function_call' ? [{ name: m.name, arguments: m.arguments }] : (m.tool_calls ?? []).map(called),
  }));
  if (typeof request.input === 'string') found.push({ role: 'user', text: request.input, calls: [] });
  if (request.instructions) found.unshift({ role: 'system', text: request.instructions, calls: [] });
  return found;
}

function words(content) {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map((p) => p.text ?? `[${p.type}]`).join('\n');
  return content ? JSON.stringify(content) : '';
}

const called = (c) => ({ name: c.function?.name ?? '', arguments: c.function?.arguments ?? '' });

function answer(raw) {
  const out = { answer: { text: '', calls: [] }, usage: null };
  const documents = raw.startsWith('{')
    ? [raw]
    : raw
        .split('\n')
        .filter((l) => l.startsWith('data:'))
        .map((l) => l.slice(5).trim());
  const calls = [];
  for (const text of documents) {
    let data;
    try {
      data = JSON.parse(text);
    } catch {
      continue; // the end mark, or a line that was cut
    }
    const part = data.choices?.[0]?.delta ?? data.choices?.[0]?.message;
    out.answer.text += part?.content ?? '';
    for (const [i, c] of (part?.tool_calls ?? []).entries()) {
      const call = (calls[c.index ?? i] ??= { name: '', arguments: '' });
      call.name += c.function?.name ?? '';
      call.arguments += c.function?.arguments ?? '';
    }
    const whole = data.response ?? (data.object === 'response' ? data : null);
    for (const item of (whole?.status === 'completed' && whole.output) || []) {
      if (item.type === 'function_call') calls.push({ name: item.name, arguments: item.arguments });
      else out.answer.text += words(item.content);
    }
    out.usage = usage(data.usage ?? whole?.usage) ?? out.usage;
    if (data.error) out.answer.text += data.error.message ?? '';
  }
  out.answer.calls = calls.filter(Boolean);
  return out;
}

function usage(u) {
  if (!u) return null;
  return {
    input: u.prompt_tokens ?? u.input_tokens ?? 0,
    output: u.completion_tokens ?? u.output_tokens ?? 0,
    cached: (u.prompt_tokens_details ?? u.input_tokens_details)?.cached_tokens ?? 0,
  };
}
