// What a table is called in an address: its label in small letters, words joined by hyphens.

import { normalize } from '#kit/runtime/search-form.ts'

export const slugOf = (label: string): string =>
  normalize(label.toLowerCase(), 'NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
