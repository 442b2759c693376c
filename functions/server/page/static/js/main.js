// Starts the page: reads the configuration, then shows the sign-in or the chat.

import { Auth } from './auth.js';
import { App } from './app.js';
import { Tabs } from './tabs.js';
import { Prefs, developer, dress } from './prefs.js';
import { button } from './dom.js';
import { loadParts } from './parts.js';
import { notice } from './views/notice.js';

const prefs = new Prefs();

async function load(path) {
  const response = await fetch(path, { headers: { Accept: 'application/json' } });
  if (!response.ok) throw new Error(`${path}: ${response.status}`);
  return response.json();
}

async function start() {
  dress(prefs.get('look'));
  developer(prefs.get('developer') === 'yes');
  let config;
  try {
    config = await load('/config.json');
    await loadParts(config.parts);
  } catch (error) {
    console.error(error);
    return notice(
      'Bellhop cannot be reached at the moment.',
      button('Try again', { class: 'primary wide', icon: 'retry', onclick: () => location.reload() }),
    );
  }
  // Only a development server has demo people; without them one signs in by password.
  const dev = config.dev ? await load('/dev.json').catch(() => null) : null;
  const tabs = new Tabs();
  const auth = new Auth({
    tabs,
    url: dev?.supabase?.url || config.supabaseUrl,
    key: dev?.supabase?.publishableKey || config.publishableKey,
  });
  await auth.join();
  new App({ prefs, dev, auth, tabs }).open();
}

start();
