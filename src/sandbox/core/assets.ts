// The files that all pages of the sandbox share, read once.
import { readFileSync } from 'node:fs'
import { resolved, styleOf } from '#kit/design/style.ts'

const read = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), 'utf8')

export const assets = {
  'page.css': { type: 'text/css; charset=utf-8', text: styleOf(read('page.css'), 'large') },
  'home.css': { type: 'text/css; charset=utf-8', text: resolved(read('home.css'), 'large') },
  'close.js': { type: 'text/javascript; charset=utf-8', text: read('close.js') },
} as const
