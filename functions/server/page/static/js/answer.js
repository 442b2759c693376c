// What one answer is, from its events. No view and no network here: apply
// changes a plain object that can be stored and shown at any moment.

import { researching } from './plans.js';

// newAnswer returns an answer that has just been asked for. turn is the id
// under which it was sent; confirm, when set, is the decision that was sent
// with it; replaces names the message whose place this turn takes.
export function newAnswer({ id, turn, confirm = null, replaces = '', now }) {
  return { kind: 'answer', id, turn, confirm, replaces, ...blank(now) };
}

function blank(now) {
  return {
    state: 'running', // then done, stopped or failed
    startedAt: now,
    ms: 0,
    agent: '',
    label: '',
    how: '',
    path: '', // fast, cached, llm or direct; see docs/streams.md
    plan: null, // the calls of a plan that are still to come: [{tool, purpose, step, of}]
    at: null, // the step of the plan that comes next: {step, of}
    steps: [],
    text: '',
    tables: [],
    parts: [], // charts, choices and others, as they came
    research: [], // what each specialist of a plan looks for, or brought: {specialist, label, state, text}
    proposal: null,
    writes: [],
    unverified: null,
    degraded: [],
    finish: '',
    model: '',
    usage: null, // what the model read and wrote: {input, output, cached, calls, total} in tokens and calls
    conversation: null, // where the server keeps it: {id, code, title}
    message: null, // the sealed message, exactly as received
    failure: null,
  };
}

// restart empties an answer before the same turn is sent again: the server
// replays all of its events.
export function restart(answer, now) {
  Object.assign(answer, blank(now));
}

// note adds a word to what is told of the choice of a specialist.
function note(answer, words) {
  const step = answer.steps.findLast((s) => s.kind === 'route');
  if (step) step.detail = step.detail ? `${step.detail} · ${words}` : words;
}

// last returns the latest step of a kind.
function last(answer, kind) {
  return answer.steps.findLast((s) => s.kind === kind);
}

// ways say how an answer is made, by its path.
const ways = {
  fast: 'Answering from the records, without a model',
  cached: 'The same was asked before, and the records have not changed since',
  llm: 'A model reads the question',
  direct: 'Answering without looking anything up',
};

// purposed names a call of a plan by what it is for, instead of by its tool. Calls
// that the plan did not foresee look up a name, and are not counted.
function purposed(answer, { tool }) {
  if (!answer.at) return {};
  answer.at = null;
  const at = answer.plan?.findIndex((s) => s.tool === tool) ?? -1;
  if (at < 0) return { planned: true, title: 'What was named' };
  const { purpose, step, of } = answer.plan.splice(at, 1)[0];
  if (!purpose) return { planned: true };
  return { planned: true, title: of > 1 ? `Step ${step} of ${of}: ${purpose}` : readable(purpose) };
}

// found tells what was read out of a message, such as dates; ids are left out.
function found(entities) {
  const values = Object.values(entities ?? {})
    .flat()
    .map(String);
  return values.filter((v) => v !== '' && !uuid.test(v)).join(' · ');
}

// kinds names what code adds to figures, each kind once.
function kinds(enrichments = []) {
  return [...new Set(enrichments.map((e) => readable(e.type ?? '')))].filter(Boolean).join(' · ');
}

// apply takes one event. Events that it does not know change nothing, so a
// newer server can send more.
export function apply(answer, name, data, now) {
  const addStep = (step) => begin(answer, step, now);
  const settle = (kind) => {
    for (const s of answer.steps) if (s.kind === kind && s.state === 'running') end(s, now);
  };
  switch (name) {
    case 'understanding_started':
      addStep({ kind: 'route', title: 'Understanding the question' });
      break;
    case 'route_started':
      settle('route');
      addStep({
        kind: 'route',
        title: 'Choosing a specialist',
        detail: data.agents > 1 ? `${data.agents} to choose from` : '',
      });
      break;
    case 'route_classified':
      settle('route');
      answer.agent = data.agent ?? '';
      answer.label = data.label ?? '';
      answer.how = data.how ?? '';
      answer.path = data.path ?? '';
      {
        const step = last(answer, 'route') ?? addStep({ kind: 'route', title: '' });
        Object.assign(step, { title: routeTitle(answer), detail: data.reasoning ?? '', state: 'done' });
        settle('intent');
        // The step stands where it began; what is known of the path follows the intent.
        if (answer.path === 'cached' || answer.steps.some((s) => s.kind === 'intent'))
          addStep({ kind: 'path', title: ways[answer.path] ?? ways.direct, state: 'done' });
      }
      break;
    case 'intent_detecting':
      addStep({ kind: 'intent', title: 'Recognising the question' });
      break;
    case 'intent_detected':
      settle('intent');
      Object.assign(last(answer, 'intent') ?? addStep({ kind: 'intent', state: 'done' }), {
        title: `Sounds like: ${data.name || readable(data.id ?? '')}`,
        plain: data.confidence > 0 ? `${Math.round(Math.min(data.confidence, 1) * 100)} % sure` : '',
      });
      break;
    case 'entities_extracted': {
      settle('intent');
      const step = last(answer, 'intent');
      if (step) step.plain = [step.plain, found(data.entities)].filter(Boolean).join(' · ');
      break;
    }
    case 'pipeline_planned':
      answer.plan = (data.steps ?? []).map(({ tool, purpose, description }, i, all) => ({
        tool,
        purpose: purpose || description || '',
        step: i + 1,
        of: all.length,
      }));
      if (answer.plan.length > 1)
        addStep({
          kind: 'plan',
          title: `Planned ${answer.plan.length} look-ups`,
          plain: answer.plan
            .map((s) => s.purpose)
            .filter(Boolean)
            .join(' · '),
          state: 'done',
        });
      break;
    case 'pipeline_executing':
      answer.at = { step: data.step, of: data.of };
      break;
    case 'enrichments_planned':
      addStep({ kind: 'enrich', title: 'Looking at what stands out', plain: kinds(data.enrichments) });
      break;
    case 'enrichments_applying':
      settle('enrich');
      Object.assign(last(answer, 'enrich') ?? addStep({ kind: 'enrich', state: 'done' }), {
        title: 'Looked at what stands out',
        plain: kinds(data.enrichments),
      });
      break;
    case 'mode_switch':
      note(answer, `Takes over from ${data.fromLabel || data.from}`);
      break;
    case 'tools_filtered':
      note(answer, `${data.tools} of ${data.of} tools`);
      {
        const step = last(answer, 'path');
        if (step && answer.path === 'llm') step.plain = `It may choose among ${data.tools} of ${data.of} tools.`;
      }
      break;
    case 'executing_tool':
      planned(answer);
      answer.research = researching(answer.research, name, data);
      addStep({
        kind: 'tool',
        call: data.callId,
        tool: data.tool,
        arguments: data.arguments ?? {},
        title: data.title || readable(data.tool),
        detail: summary(data.arguments),
        ...purposed(answer, data),
      });
      break;
    case 'tool_result': {
      answer.research = researching(answer.research, name, data);
      const step =
        answer.steps.findLast((s) => s.kind === 'tool' && s.call === data.callId) ??
        addStep({ kind: 'tool', call: data.callId, title: readable(data.tool) });
      step.state = data.success === false ? 'failed' : 'done';
      step.ms = data.durationMs ?? 0;
      if (Number.isInteger(data.records) && !data.asked) step.records = data.records;
      if (data.message) step.message = data.message;
      break;
    }
    case 'response_generating':
      if (!answer.steps.some((s) => s.kind === 'write' && s.state === 'running'))
        addStep({ kind: 'write', title: 'Writing the answer' });
      break;
    case 'response_chunk':
      answer.text += data.text ?? '';
      if (answer.steps.at(-1)?.kind === 'write') answer.steps.at(-1).wrote = true;
      break;
    case 'part':
      if (data.kind === 'table') answer.tables.push({ ...data.data, id: data.id });
      else answer.parts.push(data);
      break;
    case 'proposal':
      answer.proposal = data;
      break;
    case 'write_committed':
      answer.writes.push({ key: data.key ?? '', text: data.text || readable(data.tool ?? '') });
      break;
    case 'history_unverified':
      answer.unverified = { count: data.count ?? 0, reasons: data.reasons ?? [] };
      break;
    case 'complete':
      complete(answer, data, now);
      break;
  }
}

function complete(answer, data, now) {
  answer.state = 'done';
  answer.ms = now - answer.startedAt;
  answer.text = data.reply ?? data.response ?? answer.text;
  answer.agent = data.agent ?? answer.agent;
  answer.path = data.path || answer.path;
  answer.label = data.label ?? answer.label;
  answer.finish = data.finish ?? 'stop';
  answer.usage = data.usage ?? null;
  answer.model = data.llmModel ?? '';
  answer.conversation = data.conversation ?? null;
  answer.degraded = (data.degraded ?? []).map((d) => (typeof d === 'string' ? d : (d?.message ?? ''))).filter(Boolean);
  answer.message = data.message ?? { role: 'assistant', content: answer.text };
  if (data.confirmation) answer.proposal = { ...answer.proposal, ...data.confirmation };
  for (const s of answer.steps) if (s.state === 'running') end(s, now);
}

// fail marks an answer as not come. What had arrived stays readable, but is no
// part of the history that is sent.
export function fail(answer, failure, now) {
  const { message, code = '', status = 0, requestId = '', retryAfter = 0, sameTurn = false } = failure;
  answer.state = 'failed';
  answer.ms = now - answer.startedAt;
  answer.failure = { message, code, status, requestId, retryAfter, sameTurn };
  for (const s of answer.steps) if (s.state === 'running') s.state = 'failed';
}

// halt marks an answer that its reader stopped.
export function halt(answer, now) {
  answer.state = 'stopped';
  answer.ms = now - answer.startedAt;
  for (const s of answer.steps) if (s.state === 'running') s.state = 'stopped';
}

function begin(answer, step, now) {
  for (const s of answer.steps) if (s.kind === 'write' && s.state === 'running') end(s, now);
  const full = { detail: '', message: '', state: 'running', at: now, ms: 0, ...step };
  answer.steps.push(full);
  return full;
}

function end(step, now) {
  step.state = 'done';
  step.ms ||= Math.max(0, now - step.at);
}

// A model that has called a tool was not writing the answer yet.
function planned(answer) {
  const last = answer.steps.at(-1);
  if (last?.kind === 'write' && !last.wrote) last.title = 'Deciding what to look up';
}

function routeTitle({ label, how }) {
  if (how === 'confirm') return 'Settling your decision';
  if (!label) return 'Answering directly';
  return how === 'sticky' || how === 'goes_on' ? `${label} carries on` : label;
}

const initials = /\b(csv|gst|gstin|hsn|id|itc|kpi|pan|pdf|sac|tcs|tds|upi)\b/g;

// readable turns a tool's name into words, for servers that send no title.
export function readable(name) {
  const words = name
    .replaceAll('_', ' ')
    .replace(/([a-z0-9])([A-Z])(?=[a-z])/g, (_, a, b) => `${a} ${b.toLowerCase()}`)
    .trim()
    .replace(initials, (short) => short.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

// summary shows the arguments of a call in one line. Ids mean nothing to
// people and are left out, as is the place in a list.
function summary(args) {
  if (args === null || typeof args !== 'object') return '';
  const show = (v) => (Array.isArray(v) ? v.filter((x) => typeof x !== 'object').join(', ') : String(v));
  const line = Object.entries(args)
    .filter(
      ([k, v]) =>
        k !== 'cursor' &&
        v !== null &&
        v !== '' &&
        v !== false &&
        (typeof v !== 'object' || Array.isArray(v)) &&
        !uuid.test(v),
    )
    .map(([k, v]) => `${k.replaceAll('_', ' ')}: ${show(v)}`)
    .join(' · ');
  return line.length > 140 ? line.slice(0, 139) + '…' : line;
}
