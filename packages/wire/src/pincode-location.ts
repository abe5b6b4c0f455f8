// The approximate location of a PIN code, by its postal circle (first two digits): accurate enough to sort branches.

import { ownValue } from '@lendloom/foundation/record'
import type { Point } from '@lendloom/lending/lender'

/** The centre of population of each postal circle, by the first two digits. */
const circles: Record<string, [latitude: number, longitude: number]> = {
  11: [28.65, 77.22],
  12: [28.6, 76.8],
  13: [30.0, 76.9],
  14: [31.1, 75.6],
  15: [30.4, 74.9],
  16: [30.73, 76.78],
  17: [31.4, 77.0],
  18: [32.9, 75.0],
  19: [34.1, 74.8],
  20: [27.6, 78.9],
  21: [25.4, 81.3],
  22: [26.4, 82.2],
  23: [25.5, 83.0],
  24: [28.9, 79.0],
  25: [29.2, 77.7],
  26: [28.9, 79.8],
  27: [27.0, 82.9],
  28: [26.6, 78.2],
  30: [26.6, 75.4],
  31: [24.8, 74.2],
  32: [26.0, 76.6],
  33: [28.0, 74.2],
  34: [26.3, 72.4],
  36: [22.2, 70.8],
  37: [23.2, 69.7],
  38: [23.1, 72.6],
  39: [21.9, 73.0],
  40: [19.0, 73.0],
  41: [18.2, 74.2],
  42: [20.3, 74.4],
  43: [19.4, 76.0],
  44: [20.9, 78.3],
  45: [22.6, 75.8],
  46: [23.0, 77.6],
  47: [25.0, 78.6],
  48: [23.7, 80.6],
  49: [21.5, 82.0],
  50: [17.6, 78.6],
  51: [14.7, 78.0],
  52: [16.0, 80.2],
  53: [17.3, 82.3],
  56: [12.9, 77.5],
  57: [13.2, 75.9],
  58: [15.2, 75.6],
  59: [16.3, 75.0],
  60: [12.7, 79.9],
  61: [10.9, 79.4],
  62: [9.6, 77.9],
  63: [12.0, 78.6],
  64: [11.2, 77.0],
  67: [11.5, 75.7],
  68: [10.0, 76.4],
  69: [8.8, 76.8],
  70: [22.6, 88.4],
  71: [23.2, 87.5],
  72: [22.7, 87.1],
  73: [26.0, 88.4],
  74: [23.0, 88.6],
  75: [20.6, 86.0],
  76: [20.4, 84.2],
  77: [21.8, 84.6],
  78: [26.3, 92.3],
  79: [25.5, 92.9],
  80: [25.4, 85.2],
  81: [24.9, 86.7],
  82: [24.2, 85.2],
  83: [23.1, 85.6],
  84: [26.2, 85.0],
  85: [25.7, 86.9],
}

/** Returns null for an unknown circle, or an army post office. */
export function pointOfPincode(pincode: string): Point | null {
  const [latitude, longitude] = ownValue(circles, pincode.slice(0, 2)) ?? []
  return latitude === undefined || longitude === undefined ? null : { latitude, longitude }
}

/** Whether two PIN codes have the same sorting district (first three digits). */
export const isSameDistrict = (one: string, other: string): boolean => one.slice(0, 3) === other.slice(0, 3)

const earthKm = 6371
const radians = (degrees: number): number => (degrees * Math.PI) / 180

/** The great-circle distance. */
export function kilometres(from: Point, to: Point): number {
  const half = (one: number, other: number): number => Math.sin(radians(other - one) / 2) ** 2
  const across = Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude))
  const part = half(from.latitude, to.latitude) + across * half(from.longitude, to.longitude)
  return 2 * earthKm * Math.asin(Math.min(1, Math.sqrt(part)))
}
