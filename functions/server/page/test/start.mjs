await import(location.search === '?live' ? './live.mjs' : './browser.mjs');
