// Puts the example on a page, as an app would that keeps its chat in the browser.
import { createRoot } from 'react-dom/client';
import { Chat } from './Chat.jsx';

const kept = JSON.parse(localStorage.getItem('chat')) ?? { id: crypto.randomUUID(), messages: [] };
const keep = (latest) => localStorage.setItem('chat', JSON.stringify({ id: kept.id, ...latest }));

createRoot(document.getElementById('app')).render(<Chat id={kept.id} token={() => window.token} kept={kept} keep={keep} />);
