// The variants of the dialect 2.0.3, by version (FIS12 §24).

import type { Dialect } from './context.ts'
import { variant201 } from './v201/variant.ts'
import { variant202 } from './v202/variant.ts'
import { type Variant, variant203 } from './v203/variant.ts'

export const variants: Record<Variant['version'], Variant> = {
  '2.0.1': variant201,
  '2.0.2': variant202,
  '2.0.3': variant203,
}

/** The variant of a version; that of 2.0.3 for a version with other messages. */
export const variantIn = (dialect: Dialect): Variant => variants[dialect === '2.3.0' ? '2.0.3' : dialect]
