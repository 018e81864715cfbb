package host2plugin

import (
	"context"

	"github.com/stagehook/stagehook/sdk/hook"
	"github.com/stagehook/stagehook/sdk/internal/fromproto"
	"github.com/stagehook/stagehook/sdk/internal/proto"
	"github.com/stagehook/stagehook/sdk/internal/toproto"
)

// Observe calls the plugin's [hook.Observer].
func (c *Client) Observe(ctx context.Context, req *hook.ObserveRequest) error {
	_, err := call(ctx, toproto.ObserveRequest(req), c.observer.Observe, observed)
	return err
}

// observed is what an observer answers: nothing.
func observed(*proto.ObserveResponse) (*struct{}, error) { return &struct{}{}, nil }

type observerServer struct {
	proto.UnimplementedObserverServer
	impl hook.Observer
}

func (s *observerServer) Observe(ctx context.Context, in *proto.ObserveRequest) (*proto.ObserveResponse, error) {
	observe := func(ctx context.Context, req *hook.ObserveRequest) (*struct{}, error) {
		return &struct{}{}, s.impl.Observe(ctx, req)
	}
	encode := func(*struct{}) *proto.ObserveResponse { return &proto.ObserveResponse{} }
	return answer(ctx, in, fromproto.ObserveRequest, observe, encode)
}
