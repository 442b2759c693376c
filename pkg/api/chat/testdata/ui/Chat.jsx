import { useRef, useState } from 'react';
import { useChat } from '@ai-sdk/react';
import { DefaultChatTransport, lastAssistantMessageIsCompleteWithApprovalResponses } from 'ai';

const api = '/api/chat/hospitality';

// Chat is one conversation. token() returns the access token of the person who is signed in. keep({ messages, turn }) is
// called when something is sent and when it is answered, and kept is what was last kept: the messages, and the name of
// the turn that had no answer yet.
export function Chat({ id, token, kept = { messages: [] }, keep = () => {} }) {
  const headers = () => ({ Authorization: `Bearer ${token()}` });
  const turn = useRef(kept.turn);
  const { messages, sendMessage, regenerate, addToolApprovalResponse, stop, status, error } = useChat({
    id,
    messages: kept.messages,
    resume: kept.turn !== undefined, // the SDK takes a message that is sent while it asks in vain for answered
    transport: new DefaultChatTransport({
      api,
      headers,
      prepareSendMessagesRequest: ({ id, messages, trigger, messageId }) => {
        // The answer to an approval continues a message, which version 6 of the SDK cannot read again. Until it is
        // there, what is kept is the open question.
        const resumable = messages.at(-1).role === 'user';
        turn.current = resumable ? crypto.randomUUID() : undefined;
        if (resumable) keep({ messages, turn: turn.current });
        return { body: { id, messages, trigger, messageId, turn: turn.current, resumable } };
      },
      // With its name a turn is found that has ended since, too.
      prepareReconnectToStreamRequest: ({ id }) => ({
        api: `${api}/${id}/stream${turn.current ? `?turn=${turn.current}` : ''}`,
      }),
    }),
    sendAutomaticallyWhen: lastAssistantMessageIsCompleteWithApprovalResponses,
    onFinish: ({ messages, isDisconnect }) => {
      if (isDisconnect) return; // the whole answer is read after a reload
      turn.current = undefined;
      keep({ messages });
    },
  });
  const [text, setText] = useState('');
  const [edited, setEdited] = useState(null);
  const busy = status === 'submitted' || status === 'streaming';
  const last = messages.at(-1);

  function send(event) {
    event.preventDefault();
    if (busy || text.trim() === '') return;
    // With the id of an earlier message the new one takes its place, and what followed is left out. A question that was
    // open there can no longer be approved.
    sendMessage({ text, messageId: edited ?? undefined });
    setText('');
    setEdited(null);
  }

  function edit(message) {
    setEdited(message.id);
    setText(message.parts.map((part) => part.text ?? '').join(''));
  }

  // The turn goes on without its reader, so the server is told to end it.
  function end() {
    stop();
    fetch(`${api}/${id}/stop`, { method: 'POST', headers: headers() }).catch(() => {});
  }

  return (
    <main data-status={status}>
      {messages.map((message) => (
        <article key={message.id} className={message.role}>
          {message.parts.map((part, i) => (
            <Part key={i} part={part} all={message.parts} answer={message === last && !busy ? addToolApprovalResponse : null} />
          ))}
          {message.role === 'user' && <button onClick={() => edit(message)} disabled={busy}>Edit</button>}
        </article>
      ))}
      {error && <p role="alert">{sentence(error)}</p>}
      <form onSubmit={send}>
        <input aria-label="Message" value={text} onChange={(event) => setText(event.target.value)} />
        {busy ? <button type="button" onClick={end}>Stop</button> : <button>Send</button>}
        {last?.role === 'assistant' && !busy && <button type="button" onClick={() => regenerate()}>Answer again</button>}
      </form>
    </main>
  );
}

function Part({ part, all, answer }) {
  switch (part.type) {
    case 'text':
      return <p className="text">{withoutTables(part.text)}</p>; // Markdown: give it to the renderer of your choice
    case 'data-agent':
      return part.data.label && <small className="agent">{part.data.label}</small>;
    case 'data-history':
      return <p role="note">{part.data.count} earlier message(s) could not be verified and were read as plain text.</p>;
    case 'data-table':
      return <Table {...part.data} />;
    case 'data-chart':
      return <img className="chart" alt={part.data.text} src={`data:image/svg+xml,${encodeURIComponent(part.data.svg)}`} />;
    case 'data-committed':
      return <p className="committed">{part.data.text}</p>;
    case 'data-proposal':
      return <Proposal {...part.data} state={all.find((p) => p.approval?.id === part.data.id)?.state} answer={answer} />;
  }
  return part.type.startsWith('tool-') && <small className="step" data-state={part.state}>{part.title ?? part.type.slice(5)}</small>;
}

// Proposal shows what will be done, as the server worked it out, and asks for consent.
function Proposal({ id, tier, preview, state, answer }) {
  return (
    <section aria-label={preview.title} data-tier={tier}>
      <h3>{preview.title}</h3>
      <dl>
        {preview.lines.map(({ label, before, after }) => (
          <div key={label}><dt>{label}</dt><dd>{before && <del>{before}</del>} {after}</dd></div>
        ))}
      </dl>
      {preview.warnings?.map((warning) => <p key={warning}>{warning}</p>)}
      {state === 'approval-requested' && answer && <>
        <button onClick={() => answer({ id, approved: true })}>Approve</button>
        <button onClick={() => answer({ id, approved: false })}>Reject</button>
      </>}
    </section>
  );
}

function Table({ title, columns, rows, note }) {
  return (
    <table>
      {title && <caption>{title}</caption>}
      <thead><tr>{columns.map((column) => <th key={column.key}>{column.label}</th>)}</tr></thead>
      <tbody>{rows.map((row, i) => <tr key={i}>{row.map((cell, j) => <td key={j}>{cell}</td>)}</tr>)}</tbody>
      {note && <tfoot><tr><td colSpan={columns.length}>{note}</td></tr></tfoot>}
    </table>
  );
}

// The reply holds each table as HTML too, for clients that show only text.
const withoutTables = (text) => text.replace(/<table[\s\S]*?<\/table>/g, '');

// A request that is refused outright is answered with a problem document.
function sentence(error) {
  try {
    return JSON.parse(error.message).detail;
  } catch {
    return error.message;
  }
}
