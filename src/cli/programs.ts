// The programs of an installation.

export type Program = 'platform' | 'partner' | 'sandbox'
