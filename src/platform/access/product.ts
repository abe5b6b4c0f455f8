// Which products an application may begin journeys of.
import { Refusal } from '#kit/http/refusal.ts'

/**
 * Refused as `forbidden` when the product is switched off for the application. It concerns journeys that would begin: one
 * that is under way is finished, whatever was switched off since.
 */
export function needProduct({ products }: { products: string[] }, type: string): void {
  if (!products.includes(type))
    throw new Refusal('forbidden', `${type} is switched off for this application`, { product: type })
}
