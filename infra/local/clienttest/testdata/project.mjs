// The project and its people, as the test gives them in the environment.
import { createClient } from '@supabase/supabase-js'
import ws from 'ws'

export const env = JSON.parse(process.env.SETTINGS)

// client returns a client of its own session.
export function client(key = env.publishableKey) {
  return createClient(env.url, key, {
    auth: { persistSession: false, autoRefreshToken: false, detectSessionInUrl: false },
    realtime: { transport: ws }, // Node has no WebSocket of its own before 22
  })
}

export const mine = client() // signed in by the first check of auth.mjs
export const other = client()
export const nobody = client()
export const admin = client(env.secretKey)
