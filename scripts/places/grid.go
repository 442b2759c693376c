package main

import (
	"math"

	"github.com/bellhop-ai/bellhop/pkg/travel/places"
)

// grid finds cities by the degree in which they are.
type grid struct{ cells map[[2]int][]*city }

func newGrid(all []*city) *grid {
	g := &grid{map[[2]int][]*city{}}
	for _, c := range all {
		at := cell(c.lat, c.lon)
		g.cells[at] = append(g.cells[at], c)
	}
	return g
}

func cell(lat, lon float64) [2]int { return [2]int{int(math.Floor(lat)), int(math.Floor(lon))} }

// nearest returns the city of a country that is nearest to a point, nil when none is
// within about a thousand kilometres. Without a country it may be of any.
func (g *grid) nearest(lat, lon float64, country string) *city {
	var best *city
	least := math.Inf(1)
	at := cell(lat, lon)
	for ring := 0; ring <= 90 && least > float64(ring-1)*30; ring++ {
		for y := -ring; y <= ring; y++ {
			for x := -ring; x <= ring; x++ {
				if max(y, -y, x, -x) != ring {
					continue
				}
				for _, c := range g.cells[[2]int{at[0] + y, wrap(at[1] + x)}] {
					if country != "" && c.country != country {
						continue
					}
					if d := kilometres(lat, lon, c.lat, c.lon); d < least {
						best, least = c, d
					}
				}
			}
		}
	}
	return best
}

// greatest returns the most important city of the country near an airport, nil when
// there is only a small one.
func (g *grid) greatest(a *airport) *city {
	var best *city
	at := cell(a.lat, a.lon)
	for y := -1; y <= 1; y++ {
		for x := -1; x <= 1; x++ {
			for _, c := range g.cells[[2]int{at[0] + y, wrap(at[1] + x)}] {
				if c.country != a.country || c.importance < leastServed ||
					best != nil && c.importance <= best.importance {
					continue
				}
				if kilometres(a.lat, a.lon, c.lat, c.lon) <= nearAirport {
					best = c
				}
			}
		}
	}
	return best
}

// wrap leads over the date line.
func wrap(lon int) int { return (lon+540)%360 - 180 }

func kilometres(lat1, lon1, lat2, lon2 float64) float64 {
	return places.Distance(places.Place{Lat: lat1, Lon: lon1}, places.Place{Lat: lat2, Lon: lon2})
}
