import type { PercentCrop } from 'react-image-crop'

/** Pixels. Browsers of phones cannot draw much more. */
const maxSide = 4096

/** Makes a file of a part of an image; null if the browser cannot draw it. The file has no metadata. */
export async function cropFile(image: HTMLImageElement, part: PercentCrop, { name, type }: File): Promise<File | null> {
  const [x, width] = [(part.x * image.naturalWidth) / 100, (part.width * image.naturalWidth) / 100]
  const [y, height] = [(part.y * image.naturalHeight) / 100, (part.height * image.naturalHeight) / 100]
  const scale = Math.min(1, maxSide / Math.max(width, height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(width * scale))
  canvas.height = Math.max(1, Math.round(height * scale))
  canvas.getContext('2d')?.drawImage(image, x, y, width, height, 0, 0, canvas.width, canvas.height)
  // For a type that the browser cannot write, it is a PNG file.
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.92))
  return blob && new File([blob], name, { type: blob.type })
}
