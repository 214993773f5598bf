import { lazy, Suspense, useState } from 'react'
import { Button } from '../../components/button.tsx'
import { Loading } from '../../components/states.tsx'

const CropDialog = lazy(() => import('./crop-dialog.tsx').then(({ CropDialog }) => ({ default: CropDialog })))

interface Props {
  readonly label: string
  readonly file: File
  readonly isDisabled: boolean
  readonly onCrop: (file: File) => void
}

/** Asks for a part of a picture. A GIF file may be an animation, of which a part would stand still. */
export function CropButton({ label, file, isDisabled, onCrop }: Props) {
  const [isOpen, setOpen] = useState(false)
  if (file.type === 'image/gif') return null
  return (
    <>
      <Button disabled={isDisabled} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <Suspense fallback={<Loading />}>
          <CropDialog
            file={file}
            onClose={() => setOpen(false)}
            onCrop={(cropped) => {
              setOpen(false)
              onCrop(cropped)
            }}
          />
        </Suspense>
      )}
    </>
  )
}
