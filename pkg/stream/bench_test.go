package stream_test

import (
	"testing"

	"github.com/bellhop-ai/bellhop/pkg/agent"
	"github.com/bellhop-ai/bellhop/pkg/stream"
)

// BenchmarkEncode writes an answer of forty pieces of text.
func BenchmarkEncode(b *testing.B) {
	text, ok := stream.FromAgent(agent.Text{Text: "Deluxe and \"COCO\" are free, "})
	if !ok {
		b.Fatal("text is no event")
	}
	for name, encoding := range map[string]func() stream.Encoding{
		"native": func() stream.Encoding { return &stream.Encoder{Turn: "7d0c7f5a-0f3d-4c5f-9a70-1f1f4a7f2c11"} },
		"ui": func() stream.Encoding {
			return stream.NewUI("7d0c7f5a-0f3d-4c5f-9a70-1f1f4a7f2c11", "thread",
				nil)
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				enc := encoding()
				for range 40 {
					if frame, err := enc.Encode(text); err != nil || len(frame) == 0 {
						b.Fatal(err)
					}
				}
				if _, err := enc.Encode(complete("Done.")); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
