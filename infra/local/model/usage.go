package model

import "sync"

// usage counts tokens the rough way: four bytes are one.
type usage struct {
	prompt, cached, completion int
}

func tokens(bytes int) int { return (bytes + 3) / 4 }

// remembered is how many recent prompts count for the prompt cache.
const remembered = 48

// promptCache imitates a provider's prefix cache: a prompt that begins like a
// recent one is partly cached, in steps of 128 tokens.
type promptCache struct {
	mu     sync.Mutex
	recent [remembered][]byte
	next   int
}

// add remembers prompt and returns how many of its tokens were cached. The
// cache keeps prompt; the caller must not change it afterwards.
func (c *promptCache) add(prompt []byte) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	best := 0
	for _, old := range c.recent {
		best = max(best, sameStart(old, prompt))
	}
	c.recent[c.next] = prompt
	c.next = (c.next + 1) % remembered
	return best / 4 / 128 * 128
}
