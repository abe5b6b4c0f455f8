// The name of a table in a URL: its label in lower case, with hyphens.

import { normalize } from '@lendloom/foundation/search-form'

export const slugOf = (label: string): string =>
  normalize(label.toLowerCase(), 'NFKD')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
