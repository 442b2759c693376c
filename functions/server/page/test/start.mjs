const visits = { '?live': './live.mjs', '?axe': './axe.mjs' };
await import(visits[location.search] ?? './browser.mjs');
